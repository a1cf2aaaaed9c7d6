"""What keeps code from being judged at all, and the bug without a name."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from . import reading

BUGS = (
    Bug(
        card=Card(
            id="raises",
            family="loading",
            title="an exception in your code",
            does="Raises an exception in the file and line that the report names.",
            example=(
                "Q, shape      (2, 3)\n"
                "K, shape      (4, 3)\n"
                "right, shape  (2, 4)\n"
                "Q @ K         ValueError"
            ),
            hurts=(
                "No result comes, so no other check of this exercise can say anything. The "
                "exception's last line is usually the best description there is."
            ),
            fix=(
                'Read the message from the bottom: what was asked, with which shapes. "attnpack '
                'debug EXERCISE" runs the same call, and a breakpoint() in your code stops there.'
            ),
            hints=(
                "What does the last line of the message say, and which of your lines does it name?",
                "Print the shapes of everything in that line. Do they fit?",
                (
                    "Look at the line with breakpoint() before it, and run attnpack debug with "
                    "the exercise's name."
                ),
            ),
            read=(reading.PY_ERRORS, reading.PY_PDB),
            no_model="The exception itself is the diagnosis.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="never-returns",
            family="loading",
            title="the call never returns",
            does="Runs past its time, almost always in a loop whose end is never reached.",
            example=("right, i after 3 rounds   3\nbug, i after 1000 rounds  0"),
            hurts=(
                "No result comes, so the check was stopped. Your other exercises are checked all "
                "the same."
            ),
            fix="Find the loop, and ask which line brings its end nearer.",
            hints=(
                "Which variable should change in each round, and does it?",
                "A while loop needs a line in its body that makes its condition false one day.",
                (
                    "Look at while loops and at recursion: add a print of the variable in their "
                    "condition."
                ),
            ),
            read=(reading.PY_WHILE, reading.PY_PDB),
            no_model="There is no number to compare.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="ends-process",
            family="loading",
            title="the process ends",
            does=(
                "Ends the Python process: by exit(), by os._exit(), or by bringing the interpreter "
                "down."
            ),
            example=("asked      [0, 1, 2]\nanswered   [0]\nexit code  0"),
            hurts=(
                "Whoever calls your function is gone with it, a training run after hours too. The "
                "check started a new process for the rest of your work."
            ),
            fix="Return a result, or raise an exception that says what is wrong.",
            hints=(
                "Which line ends the program instead of the function?",
                "exit() is for the prompt. A function returns or raises.",
                (
                    "Look for exit, quit, sys.exit, os._exit, os.abort, and for recursion without "
                    "an end."
                ),
            ),
            read=(reading.PY_EXIT, reading.PY_ERRORS),
            no_model="There is no number to compare.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="uses-built-in-attention",
            family="loading",
            title="a library's ready attention",
            does="Calls a library's finished attention where the exercise is to write it.",
            example=(
                "Q                [[1, 0]]\n"
                "K                [[1, 0], [0, 1]]\n"
                "V                [[10], [20]]\n"
                "written by hand  [[13.30]]\n"
                "the library's    [[13.30]]"
            ),
            hurts=(
                "The numbers are right, and in your own project you would do just that. Here the "
                "steps in between are what you came for."
            ),
            fix="Write the steps out: scores, scaling, mask, softmax, product with V.",
            hints=(
                "Which five steps does the function that you called do for you?",
                "You have already written four of them in the earlier exercises.",
                "Look at your own attention_scores, softmax and apply_attention, and call those.",
            ),
            read=(reading.ATTENTION, reading.T_SDPA),
            no_model="The numbers are right; it is told by the call.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="unrecognised",
            family="loading",
            title="a bug without a name yet",
            does="Gives numbers that no known bug, and no two known bugs together, reproduce.",
            example=(
                "scores      [[0, 2]]\n"
                "expected    [[0.12, 0.88]]\n"
                "came        [[0.20, 0.80]]\n"
                "difference  [[0.08, 0.08]]"
            ),
            hurts=(
                "Something differs from the expected result, and the catalogue cannot say what. "
                "The numbers and, where it could be traced, the first departing line are still "
                "right."
            ),
            fix=(
                'Compare step by step: "attnpack trace EXERCISE" shows each of your lines with its '
                "shape and the name of what it computed, up to the first that matches nothing."
            ),
            hints=(
                "Which is the first intermediate result that differs from what you expect?",
                "Make the input tiny: two tokens, width 2, whole numbers, and compute it on paper.",
                "Look at the line that attnpack trace marks, and print its operands.",
            ),
            read=(reading.ANNOTATED, reading.ATTENTION),
            no_model="It stands for everything that has no model.",
        ),
        models=(),
    ),
)
