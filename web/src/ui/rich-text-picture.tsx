import { Button, Popover, Stack, Switch, Text, Toolbar } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../messages/editor-messages.ts'
import classes from './rich-text-field.module.css'
import { PictureIcon } from './rich-text-icons.tsx'
import type { Pictures } from './rich-text-pictures.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/heic,image/heif,.heic,.heif'

/** The toolbar's button for pictures: files to choose, and whether they stay as they are. */
export function RichTextPicture({ pictures }: { pictures: Pictures }) {
  const [opened, setOpened] = useState(false)
  const [original, setOriginal] = useState(pictures.keepsOriginal)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Popover opened={opened} onChange={setOpened} trapFocus returnFocus shadow="md" width={280}>
        <Popover.Target>
          <Toolbar.Toggle
            className={classes.toggle}
            aria-label={t('editor.picture')}
            title={t('editor.picture')}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setOpened(true)}
          >
            <PictureIcon size={18} strokeWidth={2} />
          </Toolbar.Toggle>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('editor.picture')}>
          <Stack gap="sm">
            <Button size="xs" onClick={() => input.current?.click()}>
              {t('editor.picture.choose')}
            </Button>
            <Switch
              size="xs"
              label={t('editor.picture.original')}
              checked={original}
              onChange={({ currentTarget: { checked } }) => {
                setOriginal(checked)
                pictures.keepOriginal(checked)
              }}
            />
            <Text size="xs" c="dimmed">
              {t('editor.picture.about')}
            </Text>
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={t('editor.picture.choose')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same file may be chosen again.
          currentTarget.value = ''
          setOpened(false)
          void pictures.add(files)
        }}
      />
    </>
  )
}
