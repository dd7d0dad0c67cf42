"""Closed word classes of English that the parser does not mark."""

from __future__ import annotations

CONDITION_MARKERS = frozenset(
    {
        "if", "unless", "until", "when", "whenever", "once", "provided", "providing", "assuming", "in case",
        "as long as", "so long as", "only if", "provided that", "on condition that", "in the event that",
        "in the event of", "in case of", "except when",
    }
)  # fmt: skip
"""Conjunctions that open a condition."""

COMPOUND_MARKERS = frozenset(
    {
        "as long as", "so long as", "provided that", "in case", "in case of", "in the event that",
        "in the event of", "in order to", "so as to", "on condition that", "only if",
    }
)  # fmt: skip
"""Markers of several words, which the parser takes to be prepositions or adverbs."""
CAUSE_MARKERS = frozenset({"because", "since", "as", "given that", "now that"})
CAUSE_PREPOSITIONS = frozenset({"because of", "due to", "owing to", "as a result of", "thanks to", "on account of"})
PURPOSE_MARKERS = frozenset({"so that", "in order to", "so as to", "to", "in order that"})

CAUSAL_VERBS = frozenset({"cause", "trigger", "induce", "provoke", "lead", "result"})
"""Verbs that say what their subject brings about, the last two with "to" and "in"."""

TAKES_INFINITIVE = frozenset(
    """allow ask cause enable encourage expect force get help instruct intend invite like need oblige order permit
    persuade prefer prompt remind require take teach tell want warn wish""".split()
)
"""Verbs whose "to" clause completes them and does not give a purpose."""
TIME_PREPOSITIONS = frozenset(
    {
        "in", "on", "at", "since", "until", "till", "during", "before", "after", "by", "within", "from", "between",
        "for", "through", "throughout", "over", "around", "under",
    }
)  # fmt: skip
POINT_MARKERS = frozenset({"", "in", "on", "at"})
"""Markers that say only at which point of time or place: "every Friday", "on the last day"."""
EXACT_MARKERS = POINT_MARKERS | {"for", "by"}
"""Markers that leave the value they open as it is."""
PLACE_PREPOSITIONS = frozenset({"in", "at", "on", "near", "from", "to", "into", "inside", "outside", "within", "under"})

TIME_LABELS = frozenset({"DATE", "TIME"})
PLACE_LABELS = frozenset({"GPE", "LOC", "FAC"})
NUMBER_LABELS = frozenset({"CARDINAL", "MONEY", "PERCENT", "QUANTITY"})
NAME_LABELS = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "NORP"})

DEICTIC = frozenset(
    """this these those here above below following previous preceding aforementioned former latter example examples
    section chapter figure table listing document documentation paragraph yesterday tomorrow hence thus
    therefore aforesaid respective respectively""".split()
)
"""Words that refer to something outside the sentence; a phrase with one is not understood alone."""

NO_NAME_BEFORE_NUMBER = DEICTIC | frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter
    page step part item line rule note appendix article""".split()
)
"""Words that are a date or a part of a text together with the number after them, not a name."""

QUANTIFIERS = frozenset(
    "many some several various certain most few fewer numerous multiple countless plenty both each every any no".split()
)
"""Determiners that leave open which ones are meant; no complete answer begins with one."""
HYPOTHETICAL = frozenset({"would", "could", "might"})
RELATIVE = frozenset(
    """such next another other others same currently now today recently ago instead also too either neither rest
    remainder otherwise afterwards""".split()
)
"""Words that refer to what was said before; an explanation may hold one, a question should not."""
CLAUSE_OPENERS = frozenset({"that", "what", "whatever", "whether", "how", "why", "whoever"})
INDEFINITE = frozenset(
    "nothing nobody none everyone everybody everything anyone anybody anything someone somebody".split()
)
THIRD_PERSON = frozenset(
    {"he", "she", "it", "they", "him", "her", "them", "himself", "herself", "itself", "themselves"}
)
FIRST_PERSON = frozenset({"i", "me", "my", "we", "us", "our", "let", "let's"})
POSSESSIVE = frozenset({"his", "her", "its", "their"})

PERSON_NOUNS = frozenset(
    """accountant actor administrator admin adviser advisor analyst applicant architect artist assistant athlete
    auditor author baker bishop boss boy buyer candidate captain carer caretaker ceo chair chairman chairperson
    chairwoman chancellor chef chemist chief child citizen clerk coach colleague commander composer consultant
    contractor coordinator courier critic customer daughter deputy designer developer director doctor donor
    driver duke economist editor emperor employee employer engineer explorer father founder friend general girl
    governor guest guide head historian husband inspector instructor intern inventor journalist judge king
    lawyer leader learner lecturer librarian lieutenant maintainer man manager mathematician mayor member
    merchant minister mother musician nurse officer operator owner painter parent partner passenger patient
    philosopher photographer physician physicist pilot pioneer player poet policeman politician pope president
    priest prince princess producer professor programmer psychologist queen recruiter reporter representative
    researcher resident reviewer ruler sailor scholar scientist secretary senator singer sister soldier son
    specialist spokesperson student supervisor teacher technician theologian traveller treasurer tutor user
    vendor visitor volunteer wife woman worker writer""".split()
)

REQUIREMENT_WORDS = frozenset("must shall should may required recommended optional not".split())
"""Words that RFC 2119 writes in capitals."""
CLIPPED = frozenset("approx avg etc max min misc vs".split())
"""Clipped words that are in no dictionary; in lower case they are not names."""
PARTICLES = frozenset("about around away back by down in non off on out over self through to up with".split())
"""Parts of compounds that are not nouns there: "sign-on", "write-up", "non-zero"."""

ORDINALS = frozenset("first second third fourth fifth last final only initial".split())
LIGHT_VERBS = frozenset(
    """allow be call come consist contain do get give go have hold include involve keep let make mean need offer
    provide put require see show take use want work""".split()
)
"""Verbs that say too little to distinguish one fact from another."""

ASIDES = frozenset(
    {
        "for example",
        "for instance",
        "in short",
        "in general",
        "in particular",
        "in fact",
        "of course",
        "in turn",
        "in essence",
        "in part",
        "in contrast",
        "by contrast",
        "in the first place",
    }
)
"""Phrases that add nothing to what a sentence says."""
UNIQUE = frozenset(
    """air atmosphere earth environment equator future internet law majority moon ocean past planet poor press public
    rich sea sky sun universe weather web world""".split()
)
"""Nouns for unique things, so that "the" is enough."""
LEAVES_OPEN = frozenset(
    """actual corresponding current default desired entire existing final first following fourth given last main new
    next old only original particular present previous proper relevant respective resulting right same second
    selected single specific specified third usual various whole wrong""".split()
)
"""Adjectives that do not say which one a definite noun means."""

POINTS_ELSEWHERE = frozenset(
    "let return raise see note refer consult check read remember consider recall notice imagine suppose".split()
)
"""Commands to the reader of the text, or to a program, not to the user of what the text is about."""

EMPTY_HEADS = frozenset(
    """advantage amount approach array aspect bit case chance choice class combination concept consequence couple
    detail difference effect end example fact factor feature form goal group idea instance issue item kind lack
    list lot majority manner matter means method moment name need number one option order pair part piece place
    point portion possibility problem process purpose question range reason result role rule sense series set
    side situation solution something sort start step thing time topic total type use usage value variety
    version way word work""".split()
)
"""Nouns too general to be an answer or a type by themselves."""

CONNECTIVES = frozenset(
    """however therefore moreover furthermore nevertheless nonetheless consequently additionally finally similarly
    likewise also thus hence instead meanwhile otherwise then first second third lastly overall generally
    typically usually often normally note simply just actually basically essentially importantly indeed
    naturally obviously unfortunately fortunately luckily sadly interestingly besides still yet so accordingly
    conversely specifically particularly especially notably alternatively again already even only too now
    currently today""".split()
)
"""Adverbs that connect a sentence with its neighbours or comment on it; a question leaves them out."""

NAMED_KINDS = frozenset(
    """academy agency airport alliance assembly association authority bank bay board bridge building bureau canal castle
    cathedral center centre chamber church circle city club coast college commission committee company consortium
    corporation council county court department desk desert directorate district division farm federation firm forest
    forum foundation garden guild hall hill hospital hotel institute institution island laboratory lake league library
    ministry mountain museum office palace park parliament party peninsula port project province region river road room
    school sea senate service society square station street team theater theatre tower town tribunal trust union unit
    university valley village warehouse workshop yard""".split()
)
"""Nouns in the names of organizations and places that say what these are: "the Pike Institute"."""
