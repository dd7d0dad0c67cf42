"""The two-parameter logistic model of item response theory: how hard each question is, how well it tells systems apart.

A system of ability t answers a question of difficulty b and discrimination a correctly with the probability
1 / (1 + exp(-a (t - b))) (Birnbaum 1968). Difficulties and discriminations are fitted by their marginal likelihood
(Bock and Aitkin 1981): abilities are taken as standard normal and averaged over, which leaves their scale undistorted
also with few systems. Priors keep questions finite on which all systems are right or wrong: difficulties are normal
with a deviation of 2, logarithms of discriminations with 0.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_DIFFICULTY_SPREAD, _LOG_DISCRIMINATION_SPREAD = 2.0, 0.5
_FARTHEST, _STEPS = 5.0, 61
"""The abilities that are averaged over: from -5 to 5, in steps of a sixth."""
_MAX_ITERATIONS = 300


@dataclass(frozen=True, slots=True)
class ResponseModel:
    """The fitted ``difficulty`` and ``discrimination`` of each question, and the number of ``systems`` in the fit.

    ``deviations`` (systems, questions) are the results of those systems minus what the model expects of them, 0 where
    one was not asked.
    """

    difficulty: Numbers
    discrimination: Numbers
    systems: int = 0
    deviations: Numbers | None = None

    def probabilities(self, abilities: Numbers) -> Numbers:
        """Return how probably systems of these abilities answer correctly, as an array (abilities, questions)."""
        from scipy.special import expit

        found: Numbers = expit(self.discrimination * (abilities[:, None] - self.difficulty))
        return found

    def information(self, ability: float) -> Numbers:
        """Return the Fisher information of each question about an ability: a² p (1 - p)."""
        import numpy as np

        p = self.probabilities(np.array([ability]))[0]
        found: Numbers = self.discrimination**2 * p * (1 - p)
        return found

    def locate(self, values: Numbers) -> tuple[float, Numbers]:
        """Return the ability of a system that gave ``values`` (nan where it was not asked), and what it will give.

        The first is the mean of the posterior of the ability, the second the probability of a correct answer to each
        question, averaged over that posterior.
        """
        grid = _abilities()
        logits = self.discrimination * (grid[:, None] - self.difficulty)
        weights, _ = _posterior(values[None, :], logits)
        return float(weights[0] @ grid), weights[0] @ self.probabilities(grid)


def fit_responses(table: Numbers) -> ResponseModel:
    """Fit the model to ``table`` (systems, questions), with values from 0 to 1 and nan where a system was not asked.

    A value between 0 and 1, such as half of the evidence, counts as that share of a correct answer.

    Example:
        >>> import numpy as np
        >>> table = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 1, 1.0]])
        >>> fit_responses(table).difficulty.argsort().tolist()
        [0, 1, 2]
    """
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit

    questions = table.shape[1]
    known = (~np.isnan(table)).astype(float)
    right, grid = np.nan_to_num(table), _abilities()

    def loss(flat: Numbers) -> tuple[float, Numbers]:
        b, log_a = flat[:questions], flat[questions:]
        a = np.exp(log_a)
        logits = a * (grid[:, None] - b)
        weights, evidence = _posterior(table, logits)
        slope = (weights.T @ known) * expit(logits) - weights.T @ right
        value = (b**2).sum() / _DIFFICULTY_SPREAD**2 / 2 + (log_a**2).sum() / _LOG_DISCRIMINATION_SPREAD**2 / 2
        gradient = (
            b / _DIFFICULTY_SPREAD**2 - a * slope.sum(axis=0),
            log_a / _LOG_DISCRIMINATION_SPREAD**2 + (slope * logits).sum(axis=0),
        )
        return float(value - evidence.sum()), np.concatenate(gradient)

    bounds = [(-2 * _FARTHEST, 2 * _FARTHEST)] * questions + [(-3.0, 3.0)] * questions
    start = np.zeros(2 * questions)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": _MAX_ITERATIONS})
    difficulty, discrimination = found.x[:questions], np.exp(found.x[questions:])
    logits = discrimination * (grid[:, None] - difficulty)
    expected = _posterior(table, logits)[0] @ expit(logits)
    return ResponseModel(difficulty, discrimination, len(table), known * (right - expected))


def _abilities() -> Numbers:
    import numpy as np

    return np.linspace(-_FARTHEST, _FARTHEST, _STEPS)


def _posterior(table: Numbers, logits: Numbers) -> tuple[Numbers, Numbers]:
    """Return the posterior of each system's ability (systems, abilities), and the logarithm of its evidence.

    ``logits`` are those of a correct answer (abilities, questions).
    """
    import numpy as np
    from scipy.special import logsumexp

    grid = _abilities()
    known = (~np.isnan(table)).astype(float)
    joint = np.nan_to_num(table) @ logits.T - known @ np.logaddexp(0, logits).T - grid**2 / 2
    evidence = logsumexp(joint, axis=1)
    return np.exp(joint - evidence[:, None]), evidence
