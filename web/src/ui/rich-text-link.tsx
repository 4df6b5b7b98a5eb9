import { Button, Group, Popover, TextInput, Toolbar } from '@mantine/core'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { t } from '../messages/editor-messages.ts'
import { isAllowedLink } from './allowed-addresses.ts'
import { LinkIcon } from './icons.tsx'
import classes from './rich-text-field.module.css'

/** A link's address as typed: without a scheme it is a web page. 'example.org:8080' has a port and no scheme. */
const completed = (address: string): string =>
  /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address) || isAllowedLink(address) ? address : `https://${address}`

/** The toolbar's link button with its little form: sets, changes or removes the link under the selection. */
export function RichTextLink({ editor }: { editor: Editor }) {
  const [opened, setOpened] = useState(false)
  const [address, setAddress] = useState('')
  const [wrong, setWrong] = useState(false)
  const active = useEditorState({ editor, selector: ({ editor }) => editor.isActive('link') })

  const open = () => {
    const { href } = editor.getAttributes('link')
    setAddress(typeof href === 'string' ? href : '')
    setWrong(false)
    setOpened(true)
  }
  const remove = () => {
    setOpened(false)
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
  }
  const apply = () => {
    const typed = address.trim()
    if (typed === '') return remove()
    const href = completed(typed)
    if (!isAllowedLink(href)) return setWrong(true)
    setOpened(false)
    const chain = editor.chain().focus().extendMarkRange('link')
    // Without a selection there is nothing to turn into a link: the address becomes its own text.
    if (editor.state.selection.empty && !active)
      chain.insertContent({ type: 'text', text: typed, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
  }

  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus shadow="md" width={320}>
      <Popover.Target>
        <Toolbar.Toggle
          className={classes.toggle}
          active={active}
          aria-label={t('editor.link')}
          title={t('editor.link')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={open}
        >
          <LinkIcon size={18} />
        </Toolbar.Toggle>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editor.link')}>
        <TextInput
          label={t('editor.link.address')}
          placeholder="https://"
          inputMode="url"
          value={address}
          error={wrong && t('editor.link.wrong')}
          onChange={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            apply()
          }}
        />
        <Group mt="sm" gap="xs">
          <Button size="xs" onClick={apply}>
            {t('editor.link.apply')}
          </Button>
          {active && (
            <Button size="xs" variant="default" onClick={remove}>
              {t('editor.link.remove')}
            </Button>
          )}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
