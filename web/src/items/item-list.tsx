import { Paper } from '@mantine/core'
import type { ItemKind, ItemSummary } from './item-kind.ts'
import classes from './item-list.module.css'
import { ItemRow } from './item-row.tsx'

interface ItemListProps {
  kind: ItemKind
  items: ItemSummary[]
}

/** Items under each other. */
export function ItemList({ kind, items }: ItemListProps) {
  return (
    <Paper withBorder component="ul" className={classes.list}>
      {items.map((item) => (
        <li key={item.id}>
          <ItemRow kind={kind} item={item} />
        </li>
      ))}
    </Paper>
  )
}
