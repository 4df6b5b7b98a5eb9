import './lib/no-eval.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startText } from './text/text.ts'

const root = document.getElementById('root')
if (root) startText().then(() => createRoot(root).render(<App />))
