import type { Import, ImportedRow } from '@kopilka/contract/imports.ts'
import { Button, Stack, Table, Tabs, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importRowsQuery } from '../api/import-queries.ts'
import { t } from '../messages/data-messages.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import classes from './import-rows.module.css'

type RowState = ImportedRow['state']

const STATES: readonly RowState[] = ['new', 'same', 'broken', 'ignored']

/** What the import would do with each entry of the file, by what that is. States without entries are left out. */
export function ImportRows({ id, summary }: Pick<Import, 'id' | 'summary'>) {
  const states = STATES.filter((state) => summary[state] > 0)
  const [chosen, setChosen] = useState<RowState>()
  const shown = chosen ?? states[0]
  if (shown === undefined) return null
  return (
    <Tabs value={shown} onChange={(tab) => setChosen(states.find((state) => state === tab))}>
      <Tabs.List aria-label={t('import.rows.label')}>
        {states.map((state) => (
          <Tabs.Tab key={state} value={state}>
            {t(`import.rows.${state}`, { count: summary[state] })}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {states.map((state) => (
        <Tabs.Panel key={state} value={state} pt="sm">
          {state === shown && <Rows id={id} state={state} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Rows({ id, state }: { id: string; state: RowState }) {
  const rows = useInfiniteQuery(importRowsQuery(id, state))
  const entries = rows.data?.pages.flatMap(({ results }) => results) ?? []
  return (
    <Stack gap="sm" aria-busy={rows.isFetching}>
      <Text size="sm" c="dimmed">
        {t(`import.rows.${state}.about`)}
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
