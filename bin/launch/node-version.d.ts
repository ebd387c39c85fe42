export function problemWithNode(place: 'memory' | 'disk'): string | undefined
