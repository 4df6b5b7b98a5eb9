import './lib/no-eval.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startMessages } from './messages/messages.ts'

const root = document.getElementById('root')
if (root) startMessages().then(() => createRoot(root).render(<App />))
