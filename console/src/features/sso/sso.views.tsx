import { lazyPart } from '../../components/lazy-part.tsx'
import { loadPage } from '../../i18n.ts'

export const Unlink = lazyPart(
  async () => (await loadPage(['access', 'sso'], () => import('./unlink.tsx'))()).Unlink,
)
