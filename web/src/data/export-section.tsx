import { EXPORT_CONTENTS, type ExportFormat } from '@kopilka/contract/exports.ts'
import { Button, Checkbox, Group, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useExport } from '../exports/download.ts'
import { FormatChoice } from '../exports/format-choice.tsx'
import { t } from '../messages/data-messages.ts'
import { DownloadIcon } from '../ui/icons.tsx'

const KINDS = ['all', 'note', 'urllink'] as const
type Kind = (typeof KINDS)[number]

/** Downloads everything, or what a search finds, in a format of one's choice. */
export function ExportSection() {
  const heading = useId()
  const kinds = useId()
  const [format, setFormat] = useState<ExportFormat>('archive')
  const [kind, setKind] = useState<Kind>('all')
  const [search, setSearch] = useState('')
  /** Undefined until chosen: an archive has everything, other formats are for other programs. */
  const [chosenTrash, setTrash] = useState<boolean>()
  const [withVersions, setVersions] = useState(true)
  const { mutate, isPending } = useExport()
  const holds = EXPORT_CONTENTS[format]
  const withTrash = chosenTrash ?? format === 'archive'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({
      format,
      ...(holds.notes && kind !== 'all' && { kind }),
      // Nobody is told that what is closest was found in place of it.
      ...(search.trim() !== '' && { search, exact: true }),
      trash: holds.trash && withTrash,
      versions: holds.versions && withVersions,
    })
  }
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p={{ base: 'md', xs: 'lg' }}>
      <form onSubmit={submit} data-not-saved>
        <Stack gap="md">
          <Title order={2} size="h4" id={heading}>
            {t('export.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('export.about')}
          </Text>
          <FormatChoice value={format} onChange={setFormat} />
          {holds.notes && (
            <Group gap="xl" role="radiogroup" aria-labelledby={kinds} style={{ rowGap: 12 }}>
              <Text size="sm" fw={600} id={kinds} w="100%">
                {t('export.kind')}
              </Text>
              {KINDS.map((value) => (
                <Radio
                  key={value}
                  name={kinds}
                  checked={kind === value}
                  label={t(`export.kind.${value}`)}
                  onChange={() => setKind(value)}
                />
              ))}
            </Group>
          )}
          <TextInput
            label={t('export.search')}
            description={t('export.search.about')}
            value={search}
            onChange={({ currentTarget: { value } }) => setSearch(value)}
          />
          {holds.trash && (
            <Checkbox
              label={t('export.trash')}
              checked={withTrash}
              onChange={({ currentTarget: { checked } }) => setTrash(checked)}
            />
          )}
          {holds.versions && (
            <Checkbox
              label={t('export.versions')}
              checked={withVersions}
              onChange={({ currentTarget: { checked } }) => setVersions(checked)}
            />
          )}
          <Button
            type="submit"
            loading={isPending}
            leftSection={<DownloadIcon size={18} />}
            style={{ alignSelf: 'start' }}
          >
            {t('export.download')}
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}
