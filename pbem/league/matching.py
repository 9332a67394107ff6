"""A matching of greatest weight in a graph: pairs of its nodes, each node in one pair at most,
whose weights have the greatest sum.

It is Edmonds' method with a dual value for each node and each blossom (J. Edmonds, "Maximum
matching and a polyhedron with 0,1-vertices", 1965; Z. Galil, "Efficient algorithms for finding
maximum matching in graphs", 1986). Weights are whole numbers of any size, so a weight can hold
several aims one after the other, and nothing is rounded. Time grows with the cube of the number of
nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

_FREE, _OUTER, _INNER = -1, 0, 1
_NONE = 0
"""No node: nodes count from 1 inside."""

Edges = Mapping[tuple[int, int], int]
"""The weight of each edge, above 0, by its two nodes."""
_Edge = tuple[int, int]


def matching(nodes: int, edges: Edges) -> list[tuple[int, int]]:
    """The pairs of a matching of greatest weight among nodes 0 to `nodes` - 1, in order."""
    search = _Search(nodes, edges)
    while search.grow():
        pass
    return [(u - 1, search.mate[u] - 1) for u in range(1, nodes + 1) if search.mate[u] > u]


class _Search:
    """One search. Nodes are 1 to `n`, blossoms the numbers above; `top` is the highest number in
    use. `ends[x][y]` is the edge of the graph by which x and y, either a node or a blossom, touch
    most tightly. An edge is tight when the duals of its ends come to twice its weight."""

    def __init__(self, nodes: int, edges: Edges) -> None:
        n = self.n = self.top = nodes
        size = n + n // 2 + 2
        self.twice: list[dict[int, int]] = [{} for _ in range(n + 1)]
        self.ends: list[dict[int, _Edge]] = [{} for _ in range(size)]
        for (one, other), weight in edges.items():
            for u, v in ((one + 1, other + 1), (other + 1, one + 1)):
                self.twice[u][v] = 2 * weight
                self.ends[u][v] = (u, v)
        most = max(edges.values(), default=0)
        self.dual = [most] * (n + 1) + [0] * (size - n - 1)
        self.mate = [_NONE] * size
        self.slack = [_NONE] * size
        """The outer node whose edge to this blossom or node is the least slack one."""
        self.outermost = [*range(n + 1)] + [_NONE] * (size - n - 1)
        self.parent = [_NONE] * size
        self.label = [_FREE] * size
        self.members: list[list[int]] = [[] for _ in range(size)]
        self.holder: list[dict[int, int]] = [{u: u} if u <= n else {} for u in range(size)]
        """Which member of a blossom holds a node."""
        self.seen, self.round = [0] * size, 0
        self.queue: deque[int] = deque()

    def grow(self) -> bool:
        """Add a pair by one augmenting path; False if no matching has more weight."""
        self.label = [_FREE] * len(self.label)
        self.slack = [_NONE] * len(self.slack)
        self.queue.clear()
        for x in self._tops():
            if not self.mate[x]:
                self.parent[x], self.label[x] = _NONE, _OUTER
                self._enqueue(x)
        if not self.queue:
            return False
        while True:
            if self._scan():
                return True
            if not self._shift():
                return False
            self.queue.clear()
            for x in self._tops():
                near = self.slack[x]
                if not near or self.outermost[x] != x or self.outermost[near] == x:
                    continue
                if not self._gap(self.ends[near][x]) and self._use(self.ends[near][x]):
                    return True
            for b in range(self.n + 1, self.top + 1):
                if self.outermost[b] == b and self.label[b] == _INNER and not self.dual[b]:
                    self._expand(b)

    def _tops(self) -> list[int]:
        """Nodes and blossoms that lie in no blossom."""
        return [x for x in range(1, self.top + 1) if self.outermost[x] == x]

    def _gap(self, edge: _Edge) -> int:
        u, v = edge
        return self.dual[u] + self.dual[v] - self.twice[u][v]

    def _scan(self) -> bool:
        """Go along tight edges from the outer nodes; whether a path was found."""
        label, outermost, dual = self.label, self.outermost, self.dual
        while self.queue:
            u = self.queue.popleft()
            if label[outermost[u]] == _INNER:
                continue
            for v, twice in self.twice[u].items():
                if outermost[u] == outermost[v]:
                    continue
                if dual[u] + dual[v] == twice:
                    if self._use((u, v)):
                        return True
                else:
                    self._note_slack(u, outermost[v])
        return False

    def _shift(self) -> bool:
        """Change the duals so that another edge becomes tight, or a blossom can be dissolved; False
        if the duals are spent."""
        label, outermost, dual = self.label, self.outermost, self.dual
        least = -1
        for x in self._tops():
            if x > self.n and label[x] == _INNER and (least < 0 or dual[x] // 2 < least):
                least = dual[x] // 2
            if self.slack[x] and label[x] != _INNER:
                gap = self._gap(self.ends[self.slack[x]][x])
                gap = gap if label[x] == _FREE else gap // 2
                least = gap if least < 0 else min(least, gap)
        outer = [u for u in range(1, self.n + 1) if label[outermost[u]] == _OUTER]
        if least < 0 or any(dual[u] <= least for u in outer):
            return False
        for u in outer:
            dual[u] -= least
        for u in range(1, self.n + 1):
            if label[outermost[u]] == _INNER:
                dual[u] += least
        for b in range(self.n + 1, self.top + 1):
            if outermost[b] == b and label[b] != _FREE:
                dual[b] += 2 * least if label[b] == _OUTER else -2 * least
        return True

    def _note_slack(self, u: int, x: int) -> None:
        known = self.slack[x]
        if not known or self._gap(self.ends[u][x]) < self._gap(self.ends[known][x]):
            self.slack[x] = u

    def _find_slack(self, x: int) -> None:
        self.slack[x] = _NONE
        for u in self.ends[x]:
            if u <= self.n and self.outermost[u] != x and self.label[self.outermost[u]] == _OUTER:
                self._note_slack(u, x)

    def _enqueue(self, x: int) -> None:
        if x <= self.n:
            self.queue.append(x)
        else:
            for member in self.members[x]:
                self._enqueue(member)

    def _put_in(self, x: int, b: int) -> None:
        """All of x lies in the outermost blossom b now."""
        self.outermost[x] = b
        for member in self.members[x] if x > self.n else ():
            self._put_in(member, b)

    def _use(self, edge: _Edge) -> bool:
        """Go along a tight edge from an outer node; whether that closes an augmenting path."""
        u, v = self.outermost[edge[0]], self.outermost[edge[1]]
        if self.label[v] == _FREE:
            self.parent[v], self.label[v] = edge[0], _INNER
            after = self.outermost[self.mate[v]]
            self.slack[v] = self.slack[after] = _NONE
            self.label[after] = _OUTER
            self._enqueue(after)
        elif self.label[v] == _OUTER:
            base = self._meeting(u, v)
            if not base:
                self._augment(u, v)
                self._augment(v, u)
                return True
            self._make_blossom(u, base, v)
        return False

    def _meeting(self, u: int, v: int) -> int:
        """Where the paths of two outer blossoms to their roots meet; 0 if they do not."""
        self.round += 1
        while u or v:
            if u:
                if self.seen[u] == self.round:
                    return u
                self.seen[u] = self.round
                u = self.outermost[self.mate[u]] if self.mate[u] else _NONE
                if u:
                    u = self.outermost[self.parent[u]]
            u, v = v, u
        return _NONE

    def _make_blossom(self, u: int, base: int, v: int) -> None:
        b = self.n + 1
        while b <= self.top and self.outermost[b]:
            b += 1
        self.top = max(self.top, b)
        self.dual[b], self.label[b], self.mate[b] = 0, _OUTER, self.mate[base]
        self.parent[b] = self.parent[base]
        ring = [base]
        for start in (u, v):
            x = start
            while x != base:
                inner = self.outermost[self.mate[x]]
                ring += [x, inner]
                self._enqueue(inner)
                x = self.outermost[self.parent[inner]]
            if start == u:
                ring[1:] = ring[:0:-1]
        self.members[b] = ring
        self._put_in(b, b)
        for x in self.ends[b]:
            self.ends[x].pop(b, None)
        ends: dict[int, _Edge] = {}
        holder: dict[int, int] = {}
        for member in ring:
            for x, edge in self.ends[member].items():
                if x not in ends or self._gap(edge) < self._gap(ends[x]):
                    ends[x] = edge
            for node in self.holder[member]:
                holder[node] = member
        self.ends[b], self.holder[b] = ends, holder
        for x, (one, other) in ends.items():
            self.ends[x][b] = (other, one)
        self._find_slack(b)

    def _place(self, b: int, member: int) -> int:
        """How far a member lies from the base along an even way; turns the ring round if needed."""
        place = self.members[b].index(member)
        if place % 2:
            self.members[b][1:] = self.members[b][:0:-1]
            return len(self.members[b]) - place
        return place

    def _pair(self, u: int, edge: _Edge) -> None:
        """Match u by an edge that begins in it; inside a blossom the pairs move on."""
        self.mate[u] = edge[1]
        if u <= self.n:
            return
        member = self.holder[u][edge[0]]
        place = self._place(u, member)
        ring = self.members[u]
        for at in range(place):
            one, other = ring[at], ring[at ^ 1]
            self._pair(one, self.ends[one][other])
        self._pair(member, edge)
        self.members[u] = ring[place:] + ring[:place]

    def _augment(self, u: int, v: int) -> None:
        """Turn the pairs round on the way from u to its root, u being matched with v."""
        while True:
            before = self.outermost[self.mate[u]] if self.mate[u] else _NONE
            self._pair(u, self.ends[u][v])
            if not before:
                return
            above = self.outermost[self.parent[before]]
            self._pair(before, self.ends[before][above])
            u, v = above, before

    def _expand(self, b: int) -> None:
        """Dissolve an inner blossom whose dual is spent; the even way through it stays in the
        tree."""
        ring = self.members[b]
        for member in ring:
            self._put_in(member, member)
        entered = self.holder[b][self.ends[b][self.parent[b]][0]]
        place = self._place(b, entered)
        ring = self.members[b]
        for at in range(0, place, 2):
            inner, outer = ring[at], ring[at + 1]
            self.parent[inner] = self.ends[outer][inner][0]
            self.label[inner], self.label[outer] = _INNER, _OUTER
            self.slack[inner] = _NONE
            self._find_slack(outer)
            self._enqueue(outer)
        self.label[entered], self.parent[entered] = _INNER, self.parent[b]
        for member in ring[place + 1 :]:
            self.label[member] = _FREE
            self._find_slack(member)
        self.outermost[b] = _NONE
