import './lib/no-eval.ts'
import './lib/refuse-drops.ts'
import './lib/trusted-types.ts'
import { createRoot } from 'react-dom/client'
import { CallFailure } from './api/failure.ts'
import { App } from './app/app.tsx'
import { registerWorker } from './app/register-worker.ts'
import { startMessages } from './messages/messages.ts'

/** A screen shows that its call failed: only other errors are for the console. */
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof CallFailure)) console.error(error)
}

const root = document.getElementById('root')
if (root) startMessages().then(() => createRoot(root, { onCaughtError }).render(<App />))
registerWorker()
