"""Catalogue of invented university subjects: department, style of assignments, courses, topics.

Ordinary words only: no eponyms, no places, no given names, so that every title made of them is one
that masking must leave as it is.
"""

from typing import NamedTuple


class Subject(NamedTuple):
    """One department: its code, the style of its assignments, course names and topics."""

    dept: str
    style: str
    courses: tuple[str, ...]
    topics: tuple[str, ...]


def _subject(dept: str, style: str, courses: str, topics: str) -> Subject:
    return Subject(dept, style, tuple(courses.split("; ")), tuple(topics.split("; ")))


SUBJECTS: tuple[Subject, ...] = (
    _subject(
        "CHEM",
        "lab",
        "General Chemistry; Organic Chemistry; Analytical Chemistry; Chemistry of Materials",
        "Titration; Reaction Rates; Buffer Solutions; Gas Laws; Chemical Bonding; Crystal Growth; "
        "Stoichiometry; Electrolysis; Acid Strength; Distillation; Thermochemistry; Redox "
        "Reactions; Solubility; Paper Chromatography; Molecular Shapes",
    ),
    _subject(
        "BIOL",
        "lab",
        "Principles of Biology; Cell Biology; Genetics; Human Physiology; Marine Biology",
        "Cell Membranes; Photosynthesis; Enzyme Activity; Natural Selection; Protein Synthesis; "
        "Gene Expression; Plant Tissue; Osmosis; Heart Function; Food Webs; Mitosis; Bacterial "
        "Growth; Nerve Signals; Seed Dispersal; Coral Reefs",
    ),
    _subject(
        "PHYS",
        "lab",
        "Foundations of Physics; Mechanics; Electricity and Magnetism; Waves and Optics",
        "Projectile Motion; Simple Pendulum; Electric Fields; Thin Lenses; Standing Waves; "
        "Friction; Energy Conservation; Rotational Motion; Circuits; Magnetic Induction; Heat "
        "Engines; Light Diffraction; Collisions; Fluid Pressure; Radioactive Decay",
    ),
    _subject(
        "MATH",
        "sets",
        "Single Variable Calculus; Linear Algebra; Differential Equations; Discrete Mathematics",
        "Limits; Chain Rule; Integration by Parts; Matrix Inverses; Eigenvalues; Power Series; "
        "Vector Spaces; Counting Arguments; Induction Proofs; Separable Equations; Partial "
        "Fractions; Related Rates; Linear Independence; Improper Integrals; Modular Arithmetic",
    ),
    _subject(
        "STAT",
        "sets",
        "Introduction to Statistics; Regression Analysis; Probability; Survey Sampling",
        "Confidence Intervals; Hypothesis Tests; Scatter Plots; Random Variables; Sampling Bias; "
        "Linear Regression; Normal Curves; Conditional Probability; Expected Value; Box Plots; "
        "Residuals; Contingency Tables; Sample Size; Outliers; Experimental Design",
    ),
    _subject(
        "CS",
        "code",
        "Introduction to Programming; Data Structures; Computer Systems; Software Design; "
        "Databases",
        "Linked Lists; Hash Tables; Binary Search; Recursion; Memory Layout; Unit Testing; "
        "Sorting Algorithms; Graph Traversal; Priority Queues; File Parsing; Query Plans; "
        "Pointers; Exception Handling; Thread Safety; Version Control",
    ),
    _subject(
        "ECE",
        "code",
        "Digital Logic; Embedded Systems; Signals and Systems; Computer Organization",
        "Logic Gates; Finite State Machines; Interrupts; Signal Filters; Sampling Theory; Adders; "
        "Clock Dividers; Serial Ports; Frequency Response; Analog Sensors; Shift Registers; Motor "
        "Control; Cache Design; Truth Tables; Power Supplies",
    ),
    _subject(
        "MECH",
        "sets",
        "Statics; Dynamics; Thermodynamics; Fluid Mechanics; Machine Design",
        "Free Body Diagrams; Beam Deflection; Truss Forces; Gear Ratios; Pipe Flow; Stress and "
        "Strain; Heat Transfer; Vibration; Fatigue Failure; Pump Curves; Bearing Loads; Control "
        "Volumes; Weld Joints; Torsion; Boundary Layers",
    ),
    _subject(
        "ENGL",
        "essay",
        "First Year Writing; Creative Writing; Technical Writing; Survey of Drama; The Short Story",
        "Narrative Voice; Close Reading; Poetic Form; Plot Structure; Unreliable Narrators; "
        "Satire; Persuasive Language; Character Sketch; Setting and Mood; Dialogue; Style and "
        "Tone; Source Integration; Thesis Statements; Revision Strategies; Literary Symbols",
    ),
    _subject(
        "HIST",
        "essay",
        "World History; History of Science; History of Technology; Modern Labor History",
        "Industrial Revolution; Trade Routes; Printing Press; Railroad Expansion; Labor Unions; "
        "Medieval Guilds; Steam Power; Oral History; Voting Rights; Colonial Economies; Great "
        "Migration; Space Race; Primary Sources; Public Memory; Factory Towns",
    ),
    _subject(
        "PSYC",
        "essay",
        "Introductory Psychology; Cognitive Psychology; Developmental Psychology; Social "
        "Psychology",
        "Working Memory; Conditioning; Attachment; Visual Perception; Group Conformity; Sleep and "
        "Dreams; Decision Making; Emotion Regulation; Language Learning; Selective Attention; "
        "Stress and Coping; Motivation; False Memories; Personality Traits; Habit Formation",
    ),
    _subject(
        "SOCI",
        "essay",
        "Introduction to Sociology; Social Inequality; Urban Sociology; Sociology of Work",
        "Social Class; Family Structures; Housing Policy; Public Transit; Social Networks; Job "
        "Markets; School Funding; Neighborhood Change; Media Influence; Consumer Culture; Aging "
        "Populations; Field Interviews; Population Growth; Health Disparities; Gift Exchange",
    ),
    _subject(
        "ECON",
        "sets",
        "Principles of Economics; Microeconomics; Macroeconomics; Environmental Economics",
        "Supply and Demand; Price Elasticity; Market Failure; Inflation; Interest Rates; Game "
        "Theory; Opportunity Cost; Public Goods; Exchange Rates; Carbon Pricing; Labor Supply; "
        "Trade Deficits; Monopoly Pricing; Consumer Surplus; Business Cycles",
    ),
    _subject(
        "BUSN",
        "case",
        "Principles of Marketing; Financial Accounting; Operations Management; Business Ethics",
        "Market Segments; Balance Sheets; Cash Flow; Inventory Planning; Brand Strategy; Supply "
        "Chains; Quality Control; Customer Surveys; Pricing Decisions; Project Scheduling; "
        "Startup Budgets; Team Leadership; Whistleblowing; Break Even Analysis; Sales Forecasts",
    ),
    _subject(
        "ENVS",
        "lab",
        "Environmental Science; Soil Science; Climate Systems; Water Resources",
        "Soil Erosion; Water Quality; Carbon Cycle; Wind Energy; Forest Cover; Air Pollution; "
        "Flood Plains; Composting; Groundwater; Invasive Species; Ocean Currents; Waste Streams; "
        "Wetland Habitat; Solar Panels; Land Use",
    ),
    _subject(
        "GEOL",
        "lab",
        "Physical Geology; Mineralogy; Earth History; Natural Hazards",
        "Rock Identification; Plate Boundaries; Volcanic Hazards; Topographic Maps; Mineral "
        "Hardness; Fossil Records; Glacier Movement; River Deltas; Earthquake Waves; Sediment "
        "Layers; Fault Lines; Cave Formation; Landslides; Geologic Time; Ore Deposits",
    ),
    _subject(
        "PHIL",
        "essay",
        "Introduction to Philosophy; Ethics; Formal Logic; Philosophy of Mind",
        "Moral Duty; Free Choice; Personal Identity; Social Contract; Valid Arguments; "
        "Skepticism; Virtue and Character; Thought Experiments; Truth and Belief; Punishment; "
        "Consciousness; Just War; Informed Consent; Logical Fallacies; Meaning of Life",
    ),
    _subject(
        "MUSC",
        "studio",
        "Music Theory; Digital Audio; Songwriting",
        "Chord Progressions; Rhythm Patterns; Sight Singing; Sound Mixing; Melody Writing; Blues "
        "Form; Interval Training; Film Scores; Drum Loops; Opera Scenes; Time Signatures; Vocal "
        "Harmony; Microphone Placement; Folk Songs; Score Analysis",
    ),
    _subject(
        "DSGN",
        "studio",
        "Visual Communication; Drawing Studio; Web Design; Product Design",
        "Color Theory; Page Layout; Logo Sketches; Perspective Drawing; Type Specimens; "
        "Wireframes; Paper Prototypes; Photo Editing; Icon Sets; Still Life; User Interviews; "
        "Packaging; Grid Systems; Motion Graphics; Portfolio Review",
    ),
    _subject(
        "NUTR",
        "case",
        "Introduction to Nutrition; Community Nutrition; Food Science; Sports Nutrition",
        "Food Labels; Meal Planning; Protein Sources; Vitamin Deficiency; Food Safety; Energy "
        "Balance; School Lunches; Hydration; Dietary Fiber; Food Deserts; Bread Baking; Athlete "
        "Diets; Allergen Control; Sugar Substitutes; Fermented Foods",
    ),
    _subject(
        "POLS",
        "essay",
        "Comparative Government; Public Policy; International Relations; Constitutional Law",
        "Election Systems; Federalism; Civil Rights; Treaty Negotiation; Public Opinion; Free "
        "Speech; Budget Process; Judicial Review; Party Platforms; Foreign Aid; Local Government; "
        "Interest Groups; Border Disputes; Campaign Finance; Voter Turnout",
    ),
    _subject(
        "SPAN",
        "language",
        "Elementary Spanish; Intermediate Spanish; Spanish Conversation; Spanish Composition",
        "Past Tense; Travel Vocabulary; Food Vocabulary; Family Vocabulary; Weather Phrases; "
        "Commands; Reflexive Verbs; Future Plans; Daily Routine; Giving Directions; Telling Time; "
        "Adjectives; Shopping Phrases; Object Pronouns; Short Film",
    ),
)
