import { Paper } from '@mantine/core'
import type { AnyItem, AnySummary, ItemKind } from './item-kind.ts'
import classes from './item-list.module.css'
import { ItemRow } from './item-row.tsx'

interface ItemListProps<Whole extends AnyItem, Summary extends AnySummary, Save> {
  kind: ItemKind<Whole, Summary, Save>
  items: Summary[]
}

/** Items under each other. */
export function ItemList<Whole extends AnyItem, Summary extends AnySummary, Save>({
  kind,
  items,
}: ItemListProps<Whole, Summary, Save>) {
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
