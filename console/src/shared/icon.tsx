/** The pictures of the console: strokes in a square of 24, but for the paw, which is filled. */
const paths = {
  alert:
    'M12 9v4m0 4h.01M10.3 4.2 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z',
  arrowDown: 'M12 5v14m-6-6 6 6 6-6',
  arrowUp: 'M12 19V5m-6 6 6-6 6 6',
  bolt: 'M13 3 5 13.5h6L10 21l9-11.5h-6.2L13 3Z',
  box: 'm12 3 8 4.5v9L12 21l-8-4.5v-9L12 3Zm0 9 8-4.5M12 12v9m0-9L4 7.5',
  cart: 'M3 4h2.2l2.3 11h10l2-8H6.2M9 20h.01M17 20h.01',
  chart: 'M4 20h16M7 16v-4m5 4V6m5 10V9',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  edit: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  filter: 'M4 5h16l-6 8v6l-4-2v-4L4 5Z',
  hash: 'M5 9h15M4 15h15M10 4 8 20m8-16-2 16',
  key: 'M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm4-4h9v3m-4-3v2',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h6',
  link: 'M14 5h5v5m0-5-8 8M10 6H5v13h13v-5',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  pause: 'M9 5v14m6-14v14',
  paw: 'M12 11.2c2.5 0 5.4 3.1 5.4 5.7 0 1.7-1.2 2.6-2.7 2.6-1.1 0-1.7-.5-2.7-.5s-1.6.5-2.7.5c-1.5 0-2.7-.9-2.7-2.6 0-2.6 2.9-5.7 5.4-5.7ZM6.2 8.6c1 0 1.9 1.1 1.9 2.4s-.8 2.2-1.8 2.2-1.9-1.1-1.9-2.3.8-2.3 1.8-2.3Zm11.6 0c1 0 1.8 1 1.8 2.3s-.9 2.3-1.9 2.3-1.8-.9-1.8-2.2.9-2.4 1.9-2.4ZM9.4 4.4c1.1 0 1.9 1.2 1.9 2.7s-.8 2.6-1.8 2.6c-1.1 0-2-1.2-2-2.7s.8-2.6 1.9-2.6Zm5.2 0c1.1 0 1.9 1.1 1.9 2.6s-.9 2.7-2 2.7c-1 0-1.8-1.1-1.8-2.6s.8-2.7 1.9-2.7Z',
  play: 'M8 5v14l11-7L8 5Z',
  plus: 'M12 5v14M5 12h14',
  rotate: 'M20 12a8 8 0 1 1-2.4-5.7L20 8.5M20 4v4.5h-4.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.7-1.8L20 20',
  send: 'M20 4 3 10.5l7 3.5 3.5 7L20 4Zm0 0L10 14',
  signOut: 'M14 5H5v14h9M10 12h10m-3.5-3.5L20 12l-3.5 3.5',
  tag: 'M4 4h8l8 8-8 8-8-8V4Zm4.5 4.5h.01',
  trash: 'M5 7h14M10 4h4m-7 3 .8 13h8.4L17 7M10 11v5m4-5v5',
  undo: 'M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
  upload: 'M12 15V4M7 9l5-5 5 5M5 20h14',
} as const
export type IconName = keyof typeof paths

/** A picture beside words that say the same. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const isFilled = name === 'paw'
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill={isFilled ? 'currentColor' : 'none'}
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth={name === 'more' ? 2.6 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
