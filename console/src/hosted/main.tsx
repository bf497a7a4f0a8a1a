import './hosted.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n.ts'
import { Page } from './page.tsx'

/** Applies the colour scheme that the person chose in the console, or else that of the system. */
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

// The tab shows another interaction, or returns to a page whose interaction has continued.
addEventListener('hashchange', () => location.reload())
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()
