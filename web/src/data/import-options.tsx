import { type Import, imports, type SampledImport } from '@kopilka/contract/imports.ts'
import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { useTagSuggestions } from '../items/use-tag-suggestions.ts'
import { t } from '../messages/data-messages.ts'
import { RadioChoice } from '../ui/radio-choice.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { TagsField } from '../ui/tags-field.tsx'

const DUPLICATES = ['skip', 'merge', 'add'] as const

export interface ImportOptionsProps {
  found: Import
  onStarted: (started: SampledImport) => void
  onFailed: () => void
  /** Gives the file up. */
  onDiscard: () => void
  discarding: boolean
}

/** How the entries of the file are to be saved; then saves them. */
export function ImportOptions({ found, onStarted, onFailed, onDiscard, discarding }: ImportOptionsProps) {
  const { id, summary } = found
  const form = useCallForm(imports.run, {
    initial: { duplicates: 'skip', folders: 'tags', add_tags: [], read_pages: false },
    request: (body) => ({ params: { id }, body }),
    showFailure: (failure) => {
      showMessage(failureText(failure, 'import.runFailure'), 'error', { about: aboutFailure(failure) })
      onFailed()
    },
    onDone: onStarted,
  })
  const { duplicates, folders, add_tags = [], read_pages } = form.values
  const count = summary.new + (duplicates === 'skip' ? 0 : summary.same)
  /** An archive may list tags without any item; an import creates them. */
  const isOnlyTags = count === 0 && found.format === 'kopilka' && summary.tags > 0
  const tagsError = form.errorOf('add_tags')
  return (
    <form {...form.form}>
      <Stack gap="md">
        <Title order={3} size="h5">
          {t('import.options')}
        </Title>
        {summary.same > 0 && (
          <RadioChoice
            label={t('import.duplicates')}
            choices={DUPLICATES.map((value) => ({
              value,
              label: t(`import.duplicates.${value}`),
              description: t(`import.duplicates.${value}.about`),
            }))}
            value={duplicates}
            onChange={(choice) => form.set('duplicates', choice)}
          />
        )}
        <Checkbox
          checked={folders === 'tags'}
          label={t('import.folders')}
          onChange={({ currentTarget: { checked } }) => form.set('folders', checked ? 'tags' : 'ignore')}
        />
        {summary.links > 0 && (
          <Checkbox
            checked={read_pages ?? false}
            label={t('import.readPages')}
            description={t('import.readPages.about')}
            onChange={({ currentTarget: { checked } }) => form.set('read_pages', checked)}
          />
        )}
        <TagsField
          label={t('import.addTags')}
          value={add_tags}
          onChange={(names) => form.set('add_tags', names)}
          onBlur={() => form.touch('add_tags')}
          {...(tagsError !== undefined && { error: tagsError })}
          {...useTagSuggestions()}
        />
        {count === 0 && !isOnlyTags && <Text size="sm">{t('import.nothing')}</Text>}
        <Group>
          <Button type="submit" loading={form.submitting} disabled={count === 0 && !isOnlyTags}>
            {isOnlyTags ? t('import.runTags') : t('import.run', { count })}
          </Button>
          <Button variant="default" loading={discarding} onClick={onDiscard}>
            {t('import.discard')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
