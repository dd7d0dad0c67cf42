"""Have a language model write questions about scenes, prove their answers by quotes, and judge them in separate calls."""
