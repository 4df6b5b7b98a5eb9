import { Group, Paper, Stack, Title } from '@mantine/core'
import { useId } from 'react'
import type { ItemKind, ItemSummary } from '../items/item-kind.ts'
import { ItemList } from '../items/item-list.tsx'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

interface TagItemsProps {
  kind: ItemKind
  /** The tag's id. */
  tag: string
  items: ItemSummary[]
  /** How many there are in all; absent while that is not known. */
  count: number | undefined
}

/** The newest items of one kind with a tag, and the way to all of them where there are more. */
export function TagItems(props: TagItemsProps) {
  const { kind, tag, items, count = 0 } = props
  const heading = useId()
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={heading}>
      <Group justify="space-between" align="baseline" mih={28}>
        <Title order={2} size="h3" id={heading}>
          {t(`${kind.textPrefix}.list`)}
        </Title>
        {count > items.length && (
          <AnchorLink to={kind.paths.list} search={{ tag }} size="sm">
            {t(`${kind.textPrefix}.all`, { count })}
          </AnchorLink>
        )}
      </Group>
      {items.length > 0 ? (
        <ItemList kind={kind} items={items} />
      ) : (
        <Paper withBorder>
          <EmptyState text={t(`${kind.textPrefix}.empty`)} />
        </Paper>
      )}
    </Stack>
  )
}
