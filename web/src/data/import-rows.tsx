import type { Import, ImportedRow } from '@kopilka/contract/imports.ts'
import { Button, Stack, Table, Tabs, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importRowsQuery } from '../api/import-queries.ts'
import { t } from '../messages/data-messages.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import classes from './import-rows.module.css'

type RowList = ImportedRow['state'] | 'remarks'

const LISTS: readonly RowList[] = ['new', 'same', 'broken', 'ignored', 'remarks']

/**
 * What the import would do with each entry of the file, by what that is, and those of which something is not imported. What has no entries
 * is left out.
 */
export function ImportRows({ id, summary }: Pick<Import, 'id' | 'summary'>) {
  const { data: remarked } = useInfiniteQuery(importRowsQuery(id, 'remarks'))
  const counts = { ...summary, remarks: remarked?.pages[0]?.count ?? 0 }
  const lists = LISTS.filter((list) => counts[list] > 0)
  const [chosen, setChosen] = useState<RowList>()
  const shown = chosen ?? lists[0]
  if (shown === undefined) return null
  return (
    <Tabs value={shown} onChange={(tab) => setChosen(lists.find((list) => list === tab))}>
      <Tabs.List aria-label={t('import.rows.label')}>
        {lists.map((list) => (
          <Tabs.Tab key={list} value={list}>
            {t(`import.rows.${list}`, { count: counts[list] })}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {lists.map((list) => (
        <Tabs.Panel key={list} value={list} pt="sm">
          {list === shown && <Rows id={id} list={list} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Rows({ id, list }: { id: string; list: RowList }) {
  const rows = useInfiniteQuery(importRowsQuery(id, list))
  const entries = rows.data?.pages.flatMap(({ results }) => results) ?? []
  return (
    <Stack gap="sm" aria-busy={rows.isFetching}>
      <Text size="sm" c="dimmed">
        {t(`import.rows.${list}.about`)}
      </Text>
      <LoadingBar shown={rows.isFetching} />
      {rows.isError && (
        <Button variant="default" style={{ alignSelf: 'start' }} onClick={() => void rows.refetch()}>
          {t('items.retry')}
        </Button>
      )}
      {entries.length > 0 && <RowTable entries={entries} />}
      {rows.hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: 'start' }}
          loading={rows.isFetchingNextPage}
          onClick={() => void rows.fetchNextPage()}
        >
          {t('import.rows.more')}
        </Button>
      )}
    </Stack>
  )
}

const RowTable = ({ entries }: { entries: readonly ImportedRow[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
  <section className={classes.scroller} aria-label={t('import.rows.label')} tabIndex={0}>
    <Table className={classes.table ?? ''} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="20%">{t('import.rows.place')}</Table.Th>
          <Table.Th>{t('import.rows.title')}</Table.Th>
          <Table.Th w="30%">{t('import.rows.reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map(({ place, title, url, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end, and a place may occur twice.
          <Table.Tr key={at}>
            <Table.Td className={classes.place ?? ''}>{place}</Table.Td>
            <Table.Td>
              <div dir="auto">{title}</div>
              {url !== undefined && <div className={classes.url}>{url}</div>}
            </Table.Td>
            <Table.Td>{reason}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
)
