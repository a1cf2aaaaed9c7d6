"""Bugs of which keys a causal mask shows."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import seeing
from . import reading
from .ways import CLASSES, WITH_LENGTH, way, where_rows_see_nothing

BUGS = (
    Bug(
        card=Card(
            id="causal-missing",
            family="causal",
            title="no causal mask",
            does=(
                "Lets every token attend to every other, later ones included: the causal mask is "
                "never made or never applied."
            ),
            example=(
                "scores    all 0, three tokens\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[0.33, 0.33, 0.33], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "A language model is trained to predict the next token. If it can see it, it "
                "copies it: the loss falls to almost nothing, and the model cannot write a single "
                "sentence, because at that time there is no next token to copy."
            ),
            fix=(
                "Build the causal mask for the length of the input and apply it to the scores "
                "before softmax."
            ),
            hints=(
                "If you change the last token, does the first output change? Should it?",
                "Query i may see the keys 0 to i. Where does your code say so?",
                (
                    "Look at whether the flag causal is read, and whether the mask reaches "
                    "scaled_dot_product_attention."
                ),
            ),
            read=(reading.DECODER, reading.ANNOTATED),
            equals=("causal-only-with-mask", "causal-buffer-broadcasts", "causal-horizon"),
            no_model="",
        ),
        models=(
            way({"see": seeing.never}, only=WITH_LENGTH),
            way(
                {"see": seeing.open_by_default},
                "unless it is asked for",
                rank=1,
                only=CLASSES,
            ),
            way(
                {"see": seeing.flag_reversed},
                "the flag is read the other way round",
                rank=1,
                only=CLASSES,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="causal-always",
            family="causal",
            title="masked although causal=False",
            does="Masks the future even when it is called with causal=False.",
            example=(
                "scores    all 0, three tokens\n"
                "asked     causal=False\n"
                "right     [[0.33, 0.33, 0.33], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]\n"
                "this bug  [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "An encoder (a model that reads a whole sentence at once) needs both directions. "
                "With this bug its first tokens see nothing but themselves, and it understands "
                "sentences worse than it could."
            ),
            fix="Apply the causal mask only when the flag is set.",
            hints=(
                "Does your result differ between causal=True and causal=False?",
                "Which line makes the mask, and under which condition does it run?",
                "Look for the argument causal: where is it stored, and where is it read?",
            ),
            read=(reading.DECODER, reading.T_SDPA),
            no_model="",
        ),
        models=(way({"see": seeing.even_if_open}, only=CLASSES),),
    ),
    Bug(
        card=Card(
            id="causal-inverted",
            family="causal",
            title="the upper triangle is kept",
            does=(
                "Keeps the upper triangle, so that each token sees itself and the future, and not "
                "the past."
            ),
            example=(
                "scores    all 0, three tokens\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[0.33, 0.33, 0.33], [0.00, 0.50, 0.50], [0.00, 0.00, 1.00]]"
            ),
            hurts=(
                "The model learns to read the answer off the next token, and when it has to write, "
                "it knows nothing of what was said before."
            ),
            fix=(
                "Row i is query i. Visible are the columns j with j <= i: the lower triangle with "
                "the diagonal."
            ),
            hints=(
                "Which keys does your first token see, and which does your last?",
                "Rows are queries, columns are keys. Is the past left or right of the diagonal?",
                "Look at tril and triu, or at the comparison of the two indices.",
            ),
            read=(reading.DECODER, reading.NP_TRI),
            equals=("mask-fill-positive",),
            no_model="",
        ),
        models=(
            way({"see": seeing.causal(seeing.upper(0))}, "keeps the diagonal", only=WITH_LENGTH),
            way({"see": seeing.causal(seeing.upper(1))}, "without the diagonal", only=WITH_LENGTH),
            *where_rows_see_nothing(seeing.upper(1), "without the diagonal"),
            way(
                {"see": seeing.causal(seeing.anti_diagonal)},
                "flipped left to right",
                rank=2,
                paired=False,
                only=WITH_LENGTH,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="causal-strict",
            family="causal",
            title="a token cannot see itself",
            does="Blocks the diagonal as well, so that token i sees only the tokens before it.",
            example=(
                "scores    all 0, three tokens\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[nan, nan, nan], [1.00, 0.00, 0.00], [0.50, 0.50, 0.00]]"
            ),
            hurts=(
                "The first token has nothing left to look at: its row is NaN or uniform. All "
                "others lose their own content, and the model trains badly."
            ),
            fix="Let the diagonal be visible: only keys after the query are hidden.",
            hints=(
                "What does the first token of a sentence attend to?",
                "Token i predicts token i + 1, so it may know itself.",
                "Look at the argument k of tril or triu, or at < and <=.",
            ),
            read=(reading.DECODER, reading.NP_TRI),
            no_model="",
        ),
        models=(
            way({"see": seeing.causal(seeing.triangle(-1))}, only=WITH_LENGTH),
            *where_rows_see_nothing(seeing.triangle(-1)),
            way(
                {"see": seeing.causal(seeing.triangle(-2))},
                "two tokens back",
                rank=2,
                paired=False,
                only=WITH_LENGTH,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="causal-one-ahead",
            family="causal",
            title="each token sees the next one",
            does="Moves the diagonal by one, so that each token also sees the token after it.",
            example=(
                "scores    all 0, three tokens\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[0.50, 0.50, 0.00], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "The next token is exactly what a language model has to predict, so it copies it: "
                "the loss is close to 0 and the generated text is nonsense. A heatmap looks almost "
                "right, which makes this one hard to see."
            ),
            fix="Hide every key after the query, beginning with the very next one.",
            hints=(
                "Look at the first row of your mask: how many keys does it leave open?",
                "Should the first diagonal above the main one be open or closed?",
                (
                    "Look at the argument k of triu or tril: k=0 is the main diagonal, k=1 the "
                    "one above it."
                ),
            ),
            read=(reading.NP_TRI, reading.DECODER),
            no_model="",
        ),
        models=(
            way({"see": seeing.causal(seeing.triangle(1))}, only=WITH_LENGTH),
            way(
                {"see": seeing.causal(seeing.triangle(2))},
                "two ahead",
                rank=2,
                paired=False,
                only=WITH_LENGTH,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="causal-first-row",
            family="causal",
            title="the same row for every query",
            does=(
                "Uses one row of the causal mask for all queries, usually the first, so that "
                "everyone sees only the first token."
            ),
            example=(
                "scores    all 0, three tokens\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[1, 0, 0], [1, 0, 0], [1, 0, 0]]"
            ),
            hurts=(
                "Every token attends to the same keys, and order is lost: the outputs of all "
                "tokens become alike."
            ),
            fix="Each query needs its own row; keep both axes of the mask.",
            hints=(
                "Are the rows of your mask different from each other?",
                "A mask of shape (1, T) or (T,) is copied to every query by broadcasting.",
                (
                    "Look at how the mask is indexed or compared: both a column of queries and a "
                    "row of keys are needed."
                ),
            ),
            read=(reading.NP_BROADCAST, reading.NP_TRI),
            no_model="",
        ),
        models=(
            way({"see": seeing.causal(seeing.row_for_all(0))}, only=WITH_LENGTH),
            way(
                {"see": seeing.causal(seeing.middle_row)},
                "another row",
                rank=3,
                paired=False,
                only=WITH_LENGTH,
            ),
        ),
    ),
)
