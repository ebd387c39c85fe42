import { Link } from '@tanstack/react-router'

/** A sentence in which numbers of orders lead to them, such as `Order 12 was placed.` */
export function Sentence({ text }: { text: string }) {
  // Each second part is a number.
  return text.split(/(?<=\border )(\d+)\b/i).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
      <Link key={index} to="/orders" search={{ at: part }} style={{ color: 'inherit' }}>
        {part}
      </Link>
    ),
  )
}
