import './hosted.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n.ts'
import { Page } from './page.tsx'
import { applyScheme } from './scheme.ts'

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
