import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { operationProgress, type Progress, type ProgressSource, watchProgress } from '../api/progress.ts'
import { t } from '../messages/lazy-messages.ts'
import { progressText } from '../ui/progress-text.ts'

const ofOperation: ProgressSource = () => operationProgress()

/**
 * How far the change has come that is under way while `busy`; undefined where that is not known, and in the first half second.
 * `source`: absent for a change that is an operation.
 */
export function useProgress(busy: boolean, source: ProgressSource = ofOperation): Progress | undefined {
  const [progress, setProgress] = useState<Progress>()
  const latest = useRef(source)
  useEffect(() => {
    latest.current = source
  })
  useEffect(() => {
    if (!busy) return
    const stop = watchProgress(() => latest.current(), setProgress)
    return () => {
      stop()
      setProgress(undefined)
    }
  }, [busy])
  return progress
}

/** The progress in words. A screen reader hears that something is under way, and not each number. */
export const ProgressText = ({ progress }: { progress: Progress | undefined }) => (
  <>
    <VisuallyHidden component="span" role="status">
      {progress && t('selection.busy')}
    </VisuallyHidden>
    {progress && <span aria-hidden="true">{progressText(progress)}</span>}
  </>
)

interface OperationProgressProps {
  busy: boolean
  source?: ProgressSource
}

/** Both, for what loads after the first screen. */
export const OperationProgress = ({ busy, source }: OperationProgressProps): ReactNode => (
  <ProgressText progress={useProgress(busy, source)} />
)
