"""Does a question set rank systems as a human one does?"""
