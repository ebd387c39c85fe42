/** The same servers, the next one first in each round; the others follow it upwards, then downwards, so that none always comes after the same. */
export function rotate<T>(servers: readonly T[], round: number): T[] {
  const step = round % 2 === 0 ? 1 : -1
  return servers.map((_, index) => {
    const place = (round + step * index) % servers.length
    return servers.at(place) as T
  })
}
