"""Ten short FAQ pages on ten subjects, as a shop, a town or a club writes them: about eighty words each."""

PAGES = {
    "library.md": """# Library card FAQ

## How do I get a card?

The front desk issues library cards on Mondays and Thursdays. A new card costs four euros and is valid for two years.
Residents of Elmstead show a passport or a driving licence at the desk.

## How many books may I borrow?

A reader may borrow twelve books at a time. The loan period is three weeks.

## What happens when a book is late?

The library charges twenty cents a day for each late book. If a book is lost, the reader pays its replacement price.
""",
    "parking.md": """# Parking permits FAQ

## Who issues permits?

The Harbour Office issues parking permits for the old town. Residents pay 60 euros a year, and
visitors pay 5 euros a day.

## When are the zones in force?

The zones are in force from eight in the morning until seven in the evening. Parking on Sundays is free.

## What if my car is towed?

Towed cars are kept in the Mill Street depot. The depot releases a car when the owner pays the towing fee of 140 euros.
""",
    "swimming.md": """# Swimming pool FAQ

## When does the pool open?

The Larkfield pool opens at six in the morning on weekdays. It closes for cleaning every first Monday of the month.

## How warm is the water?

The main basin is kept at 27 degrees. The children's basin is kept at 31 degrees because small children cool down
quickly.

## Do children swim alone?

Children under ten must be accompanied by an adult. Certified instructors teach beginners on Saturday mornings.
""",
    "returns.md": """# Returns and refunds FAQ

## How long may I keep an item?

Customers may return unused items within thirty days. Worn shoes cannot be returned.

## How is the refund paid?

The accounts team pays refunds to the original card within five working days. Gift vouchers are refunded as store
credit.

## Who pays for the parcel?

Brightline Outfitters pays the return postage if the item was damaged on arrival. In all other cases the customer buys
the stamp, which costs about six euros.
""",
    "bees.md": """# Beekeeping club FAQ

## When does the club meet?

The Ashdown Beekeepers meet on the second Tuesday of every month in the village hall. Membership costs 25 euros a year.

## Do I need my own hive?

New members borrow a hive from the club during their first season. Each hive holds about forty thousand bees in June.

## What about stings?

Members wear white suits since dark colours alarm the bees. The club nurse keeps adrenaline in the honey shed.
""",
    "broadband.md": """# Broadband FAQ

## What does the router need?

The Comet 5 router needs a grounded socket and a fibre outlet. It draws 11 watts in normal use.

## How fast is the line?

The basic plan delivers 100 megabits per second. The family plan delivers 500 megabits per second.

## Why is the light red?

A red light means that the fibre cable is unplugged. If the light stays red for ten minutes, the support line sends
a technician on the next working day.
""",
    "compost.md": """# Compost collection FAQ

## Which bin is for kitchen waste?

The brown bin takes kitchen waste and garden cuttings. Crews from Verdant Services empty it every Wednesday.

## Are plastic bags allowed?

Plastic bags are not accepted because they clog the shredder at the Thornbury plant. Paper bags break down within weeks.

## Where does the compost go?

The Thornbury plant turns the waste into compost in ninety days. Households collect up to 50 litres of compost free of
charge each spring.
""",
    "museum.md": """# Clock museum FAQ

## When was the museum founded?

Adele Morvan founded the clock museum in 1968 with her father's collection. The museum moved to the former customs house
in 1994.

## What is the oldest clock?

The oldest clock is a tower clock from 1521. It was built by the blacksmith Jorn Haske for the church at Velden.

## May I take photographs?

Visitors may take photographs without flash. Flash is forbidden so that the painted dials do not fade.
""",
    "allotments.md": """# Allotment gardens FAQ

## How large is a plot?

A full plot measures 250 square metres, and a half plot measures 125 square metres. The yearly rent of a full plot is
90 euros.

## How long is the waiting list?

Applicants wait about eighteen months for a plot. The garden committee offers free plots in March.

## Are bonfires allowed?

Bonfires are allowed only in November. If a plot is not worked for a year, the committee gives it to the next applicant.
""",
    "vaccines.md": """# Travel vaccination FAQ

## Where do I book?

The Northgate clinic takes bookings by telephone between nine and noon. Dr. Ines Caldera runs the travel clinic.

## How early should I come?

Travellers should come six weeks before departure because some vaccines need two doses. The second dose is given after
28 days.

## What does it cost?

A consultation costs 35 euros. The clinic charges no fee if the appointment is cancelled two days ahead.
""",
}
