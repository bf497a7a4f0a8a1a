import { Button, Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { loadPage } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { SettingScope } from './known-settings.ts'
import { useCanWrite, useSettings } from './settings.queries.ts'
import type { SectionName } from './settings.search.ts'

const waiting = <Skeleton height={480} />

const loadSecurity = loadPage(['account', 'platform', 'support'], () => import('./security-section.tsx'))
const loadProduct = loadPage(
  ['account', 'attributes', 'audit', 'platform'],
  () => import('./product-section.tsx'),
)

const SecuritySection = lazyPart(async () => (await loadSecurity()).SecuritySection, waiting)
const BrandingSection = lazyPart(
  async () => (await import('./branding-section.tsx')).BrandingSection,
  waiting,
)
const ProductSection = lazyPart(async () => (await loadProduct()).ProductSection, waiting)
const AdvancedSection = lazyPart(
  async () => (await import('./advanced-section.tsx')).AdvancedSection,
  waiting,
)

const forms = { security: SecuritySection, branding: BrandingSection, advanced: AdvancedSection }

const route = getRouteApi('/shell/settings')

/** Only callers who write the settings of all tenants see them as such. Others see them as inherited. */
const useShown = () => {
  const { scope, section = 'security' } = route.useSearch()
  const canWriteAll = useCanWrite('global')
  return { canWriteAll, scope: (canWriteAll && scope) || 'tenant', section } as const
}

export const SettingsPage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { canWriteAll, scope, section } = useShown()
  const canCreate = useCanWrite(scope) && section === 'product'
  const [isNew, setNew] = useState(false)
  const show = (to: SettingScope, name: SectionName): void =>
    void navigate({
      search: {
        ...(to === 'global' && { scope: to }),
        ...(name !== 'security' && { section: name }),
      },
    })
  return (
    <>
      <PageHeader
        title={t('places.settings')}
        actions={canCreate && <Button onClick={() => setNew(true)}>{t('settings.create')}</Button>}
      />
      {canWriteAll && <Scopes scope={scope} onChange={(to) => show(to, section)} />}
      <PageTabs
        tab={section}
        titles={{
          security: t('settings.security'),
          branding: t('settings.brandingSection'),
          product: t('settings.product'),
          advanced: t('settings.advanced'),
        }}
        label={t('settings.sections')}
        onChange={(name) => show(scope, name)}
      >
        {section === 'product' ? (
          <ProductSection scope={scope} isNew={isNew} onClose={() => setNew(false)} />
        ) : (
          <Forms key={scope} scope={scope} section={section} />
        )}
      </PageTabs>
    </>
  )
}

interface ScopesProps {
  scope: SettingScope
  onChange: (scope: SettingScope) => void
}

const Scopes = ({ scope, onChange }: ScopesProps) => {
  const { t } = useTranslation()
  const titles = { tenant: t('settings.tenant'), global: t('settings.global') }
  return (
    <Button.Group mb="md" aria-label={t('settings.scopes')}>
      {(['tenant', 'global'] as const).map((one) => (
        <Button
          key={one}
          size="xs"
          variant={one === scope ? 'light' : 'default'}
          aria-pressed={one === scope}
          onClick={() => onChange(one)}
        >
          {titles[one]}
        </Button>
      ))}
    </Button.Group>
  )
}

interface FormsProps {
  scope: SettingScope
  section: keyof typeof forms
}

const Forms = ({ scope, section }: FormsProps) => {
  const { data, error, refetch } = useSettings(scope)
  const Section = forms[section]
  if (!data) return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : waiting
  return (
    <Stack gap="lg">
      <Section scope={scope} settingOf={(name) => data.find(({ key }) => key === name)} />
    </Stack>
  )
}
