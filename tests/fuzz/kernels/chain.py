"""Kernels of the profile `chain`: footprint kernels that run more often, in any order, and between
whose launches main() changes and copies parts of their memory; it looks at the results now and then.
So launches find memory in all states in which others leave it."""
import copy

from footprint import FootprintKernel
from scalars import Type
from writes import write_column


def stretch(state, memory):
    """A part of an allocation, mostly not small: [begin, end)."""
    a, b = state.random.randint(0, memory.total() - 1), state.random.randint(1, memory.total())
    if state.chance(0.3):
        return 0, memory.total()
    return (a, b) if a < b else (b - 1, a + 1)


class ChainKernel(FootprintKernel):
    def __init__(self, random, number):
        super().__init__(random, number)
        shapes, state = self.launches, self.state
        self.launches = [copy.copy(state.pick(shapes)) for _ in range(state.random.randint(3, 8))]
        for launch in self.launches:
            for _ in range(state.weighted({0: 2, 1: 3, 2: 3, 3: 1})):
                change = state.weighted({self.fill: 2, self.copy: 3, self.clear: 1, self.show: 1})
                launch.after = launch.after + change()

    def add_lists(self, inner, line):  # which would become too long
        return write_column(self, inner, line) if self.state.chance(0.2) else []

    def plain_memories(self):
        return [m for m in self.passed.memories if isinstance(m.type, Type)]

    def fill(self):
        """From the host; indexes become other ones."""
        inputs = [m for m in self.plain_memories() if m.value is not None]
        if not inputs:
            return self.clear()
        memory = self.state.pick(inputs)
        begin, end = stretch(self.state, memory)
        return [f"    fill({memory.field}.device, {begin}, {end}, {memory.maker()});"]

    def copy(self):
        """Within the device."""
        state, memories = self.state, self.plain_memories()
        to = state.pick([m for m in memories if m.takes_anything])
        sources = [m for m in memories if m.type is to.type and m is not to]
        if not sources:
            return self.clear()
        source = state.pick(sources)
        begin, end = stretch(state, to)
        count = min(end - begin, source.total())
        at = state.random.randint(0, source.total() - count)
        return [f"    copy({to.field}.device + {begin}, {source.field}.device + {at}, {count});"]

    def clear(self):
        memory = self.state.pick([m for m in self.plain_memories() if m.takes_anything])
        begin, end = stretch(self.state, memory)
        byte = self.state.pick([0, 0, 1, 63])
        return [f"    cudaMemset({memory.field}.device + {begin}, {byte}, {end - begin} * sizeof({memory.type}));"]

    def show(self):
        output = self.state.pick(self.outputs)
        return [f'    {output.name}.report("{self.name}");']
