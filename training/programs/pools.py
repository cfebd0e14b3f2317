"""Names and words that programs are made of."""

VARIABLES = """a b c d i j k m n p q r s t u v w x y z acc total count result res out val value num nums items
item data text word words name names key keys idx pos left right low high mid cur prev last first best size step
limit score scores mark flag found temp tmp ans line lines chars ch letter letters row col grid point price cost
amount rate balance bonus pair pairs seen stack queue head tail node level depth width height area base digit
digits even odd small big target start end total_a sum_x max_v min_v cnt freq table lookup buf msg label tag code
parts part left_i right_i age year day hour speed dist offset shift gap turn player team""".split()

FUNCTIONS = """main run solve process compute calc helper check build make count_items find_best update apply
transform score_of total_of pick merge split_up clean combine scale fold walk visit reduce_it is_ok is_valid
convert encode decode summarize adjust evaluate measure filter_out collect format_it lookup_in step_once add_up
double square twice power fact fib gcd digit_sum rev count_down sum_list length_of area_of greet play
simulate""".split()

CLASSES = "Point Account Counter Box Item Player Stack Node Car Shape Dog Timer Cart Robot Bank".split()
ATTRIBUTES = "x y value name count size total level items balance speed owner age score width height".split()
METHODS = "add get update move deposit withdraw push grow reset area info step scale turn spend".split()

WORDS = """cat dog sun map red blue tree fish book apple lemon stone river light green house mouse bread ant owl
key box pen cup hat ice jam kit log mud net oak pie rug sea toy van web yak zoo hello world data code test abc xyz
level noon radar kayak stats""".split()

# Never used as a variable: builtins, keywords and the loop names comprehensions use.
RESERVED = set("""len max min sum abs set str int list dict if in is or as def for not and del try self w k v map zip
ord pow bool type id dir pass from else elif None True False any all hex oct bin chr iter next open hash eval exec
vars repr round slice range while break raise with yield async await lambda print tuple float""".split())

# Said above or behind a statement, or as a docstring.
COMMENTS = """start from nothing|one step at a time|see the notes|keep the order|the usual case|check this first|small
helper|the hard part|nothing to do here|counts from zero|both ends count|simple version|todo: rename|left to right|
should not happen|enough for now|last one wins|as before|work on a copy|the rest follows|easy to get wrong|mind the
sign|used below|for the report""".replace("\n", " ").split("|")
COMMENTS = [" ".join(said.split()) for said in COMMENTS]

CONSTANTS = "LIMIT TABLE RATES NAMES ITEMS CODES RULES BASE MAX_N SIZES STEPS DATA".split()
PEOPLE = "Ann Bob Cara Dan Eve Finn Gus Hana Ivan Joy Kim Leo Mia Ned Ola Pam Raj Sue Tom Uma Vic Zoe".split()
LABELS = """open closed ready done busy idle low high new old left right north south east west fast slow hot cold red
green blue yes no on off start stop first last""".split()
