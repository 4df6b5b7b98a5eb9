import { Input, Skeleton, Switch } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { t } from '../messages/editor-messages.ts'
import type { Uploads } from '../pictures/editor-uploads.ts'
import { HtmlSource } from './html-source.tsx'
import { lazy } from './lazy.tsx'
import { waitForEditor } from './offered-pictures.ts'
import classes from './rich-text-field.module.css'

const RichTextEditor = lazy(() => import('./rich-text-editor.tsx'), 'RichTextEditor')

interface RichTextFieldProps {
  label: string
  error?: ReactNode
  required?: boolean
  /** HTML; plain text with line breaks is taken as well. */
  value: string
  /** Called with HTML, or with '' when there is nothing to see. */
  onChange: (html: string) => void
  onBlur?: () => void
  /** Called when the number of pictures on their way into the text changes. */
  onUploads?: (uploads: Uploads) => void
}

/** A text with formatting, five rows high at least; a switch shows its plain HTML instead. */
export function RichTextField(props: RichTextFieldProps) {
  const { label, error, required = false, value, onChange, onBlur = () => {}, onUploads = () => {} } = props
  const id = useId()
  const [asSource, setAsSource] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const field = {
    id: `${id}-text`,
    labelledBy: `${id}-label`,
    describedBy: error ? `${id}-error` : undefined,
    invalid: Boolean(error),
    required,
    value,
    onChange,
    onBlur,
    onUploads: (uploads: Uploads) => {
      setUploading(uploads.uploading + uploads.failed > 0)
      onUploads(uploads)
    },
  }
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      labelProps={{ onClick: () => document.getElementById(field.id)?.focus() }}
      error={error}
      required={required}
    >
      <div className={classes.frame} data-invalid={field.invalid || undefined}>
        {asSource ? (
          <HtmlSource {...field} />
        ) : (
          <Suspense fallback={<Loading />}>
            <RichTextEditor {...field} />
          </Suspense>
        )}
        <Switch
          className={classes.switch}
          size="xs"
          label="HTML"
          labelPosition="left"
          aria-label={t('editor.source')}
          checked={asSource}
          // The places of pictures on their way are in the editor alone.
          disabled={isUploading}
          onChange={(event) => setAsSource(event.currentTarget.checked)}
        />
      </div>
    </Input.Wrapper>
  )
}

function Loading() {
  useEffect(waitForEditor, [])
  return <Skeleton className={classes.loading} role="status" aria-label={t('editor.loading')} />
}
