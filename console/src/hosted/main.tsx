import './hosted.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n.ts'
import { Page } from './page.tsx'

/** The colours that were chosen in the console of this browser; else those of the system. */
const applyScheme = (): void => {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen
}

const start = async (): Promise<void> => {
  applyScheme()
  await startI18n('hosted')
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  )
}

// Another interaction in the same tab, or a page of the history whose interaction has moved on.
addEventListener('hashchange', () => location.reload())
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()
