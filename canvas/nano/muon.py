"""Muon in float32. `torch.optim.Muon` orthogonalises in bfloat16, which CPUs without bfloat16 units
emulate: there one of its steps takes minutes for a model that trains at ten steps a second."""

from collections.abc import Iterable

import torch

# Newton-Schulz coefficients: Jordan et al. 2024, https://kellerjordan.github.io/posts/muon
COEFFICIENTS = (3.4445, -4.7750, 2.0315)


class Muon(torch.optim.Optimizer):
    """Momentum, orthogonalised, for matrices [rows, columns]; one batched product a shape.

    The update has the root mean square of AdamW's, 0.2 (Liu et al. 2025, arXiv:2502.16982, 2.2).
    """

    def __init__(self, matrices: Iterable[torch.nn.Parameter], lr: float, momentum: float = 0.95):
        super().__init__(matrices, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure=None) -> None:
        """One update of every matrix that has a gradient."""
        if closure is not None:
            raise ValueError("closures are not supported")
        for group in self.param_groups:
            shapes: dict[tuple, list[torch.nn.Parameter]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    shapes.setdefault(tuple(matrix.shape), []).append(matrix)
            for (rows, columns), matrices in shapes.items():
                directions = torch.stack([self._direction(m, group["momentum"]) for m in matrices])
                scale = group["lr"] * 0.2 * max(rows, columns) ** 0.5
                for matrix, update in zip(matrices, orthogonal(directions), strict=True):
                    matrix.add_(update, alpha=-scale)

    def _direction(self, matrix: torch.nn.Parameter, momentum: float) -> torch.Tensor:
        """Nesterov momentum."""
        state = self.state[matrix]
        buffer = state.setdefault("momentum", torch.zeros_like(matrix))
        buffer.lerp_(matrix.grad, 1 - momentum)
        return matrix.grad.lerp(buffer, momentum)


def orthogonal(batch: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """Nearest semi-orthogonal matrices, roughly: [n, rows, columns] to the same, Newton-Schulz."""
    a, b, c = COEFFICIENTS
    wide = batch.mT if batch.shape[1] > batch.shape[2] else batch
    x = wide / (wide.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.mT if batch.shape[1] > batch.shape[2] else x
