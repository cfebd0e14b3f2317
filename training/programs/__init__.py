"""Programs to record and learn from, all made here: random ones (`random_program`) and
parameterised families in the styles people write and teach (`families`, one module a theme;
`--held` for the few that are kept from training), and on request programs built to loop for
ever (`endless`).

    python training/programs --count 100000 --seed 1 --easy 0.2 > programs.jsonl

One JSON object a line, {"code", "entry", "family"}: what `foretrace trace --batch` takes.
Nothing here runs a program; the recorder does, in its sandbox. What holds a piece of a benchmark
(`training/decontaminate.py`) is drawn anew.
"""
