import { type CallCounter, operationProgress, progressOfCalls, watchProgress } from '../api/progress.ts'
import { progressText } from '../ui/progress-text.ts'

/** Undos that are made one after the other. `id`: the operation of the present one. */
export interface UndosUnderWay extends CallCounter {
  id: string
}

/** Says again and again how far they have come, or undefined where nobody knows. Returns the function that ends it. */
export const watchUndos = (undos: UndosUnderWay, onText: (text: string | undefined) => void): (() => void) =>
  watchProgress(
    () => progressOfCalls(undos, () => operationProgress(undos.id)),
    (progress) => onText(progress && progressText(progress)),
  )
