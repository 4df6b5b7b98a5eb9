import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/data-messages.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { formatBytes } from './format-bytes.ts'
import { ProgressReport } from './progress-report.tsx'
import type { Upload } from './uploads.ts'

/** Why the file was not sent, with the server's limit where it is too large. */
const reasonOf = ({ cause, unreadable }: NonNullable<Upload['failure']>): string => {
  if (unreadable) return t('import.unreadable')
  if (!(cause instanceof CallFailure) || cause.status === 429) return failureText(cause)
  const limits = Object.values(cause.fields).flat()
  return [cause.detail ?? failureText(cause), ...limits.map((text) => `${text}.`)].join(' ')
}

interface UploadReportProps {
  upload: Upload
  onRetry: () => void
  onDrop: () => void
}

/** The file on its way to the server, or why it did not get there: then it can be sent once more. */
export function UploadReport({ upload: { file, share, failure }, onRetry, onDrop }: UploadReportProps) {
  if (failure) {
    return (
      <ErrorAlert
        message={`${t('import.uploadFailed', { name: file.name })} ${reasonOf(failure)}`}
        onRetry={failure.unreadable ? undefined : onRetry}
        onClose={onDrop}
      />
    )
  }
  return (
    <ProgressReport
      title={t('import.uploading', { name: file.name })}
      text={t('import.progress.bytes', {
        done: formatBytes(share * file.size),
        total: formatBytes(file.size),
      })}
      share={share}
      about={t('import.uploading.about')}
      onStop={onDrop}
    />
  )
}
