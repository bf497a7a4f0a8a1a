import { useTranslation } from 'react-i18next'

/** What permissions of a module are about, as the pages are called; a module unknown here is shown as it is. */
export const useModuleName = (): ((module: string) => string) => {
  const { t } = useTranslation()
  const names = new Map([
    ['audit', t('audit.title')],
    ['dashboard', t('dashboard.title')],
    ['notification', t('notifications.title')],
    ['rbac', t('roles.title')],
    ['setting', t('settings.title')],
    ['tenant', t('tenants.title')],
    ['user', t('users.title')],
  ])
  return (module) => names.get(module) ?? module
}
