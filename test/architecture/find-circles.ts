/** The circles of a graph, each from a node back to it; a part of the graph that was visited is not visited again. */
export function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []

  function visit(node: string, trail: string[]) {
    const start = trail.indexOf(node)
    if (start >= 0) circles.push([...trail.slice(start), node])
    if (start >= 0 || done.has(node)) return
    for (const next of new Set(graph.get(node))) visit(next, [...trail, node])
    done.add(node)
  }

  for (const node of graph.keys()) visit(node, [])
  return circles
}
