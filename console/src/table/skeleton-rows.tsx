import { Skeleton } from '@mantine/core'
import classes from './record-table.module.css'

const count = 14

/** Where rows will be, while the first of them are fetched. */
export function SkeletonRows({ columns }: { columns: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={classes.skeletonRow}>
          {Array.from({ length: columns - 1 }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <Skeleton key={column} height={12} width={`${45 + ((row * 7 + column * 13) % 40)}%`} />
          ))}
        </div>
      ))}
    </div>
  )
}
