import { Button, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { DeclaredList } from './declared-list.tsx'
import {
  branding,
  connectionOnly,
  hasForm,
  mail,
  passwords,
  ways,
  retention,
  secondFactor,
  robots,
  unregistered,
  type SettingScope,
} from './known-settings.ts'
import { RetentionForm } from './retention-form.tsx'
import { ReadByService, useSaveSetting } from './setting-form.tsx'
import { SettingTable } from './setting-table.tsx'
import { useCanWrite, useDefinitions, useSettings } from './settings.queries.ts'

const SettingEditor = lazyPart(async () => (await import('./setting-editor.tsx')).SettingEditor)

const DeclaredEditor = lazyPart(async () => (await import('./declared-editor.tsx')).DeclaredEditor)

const waiting = <Skeleton height={240} />
const BrandingForm = lazyPart(async () => (await import('./branding-form.tsx')).BrandingForm, waiting)
const MailForm = lazyPart(async () => (await import('./mail-form.tsx')).MailForm, waiting)
const WaysForm = lazyPart(async () => (await import('./ways-form.tsx')).WaysForm, waiting)
const RobotsForm = lazyPart(async () => (await import('./robots-form.tsx')).RobotsForm, waiting)
const PasswordsForm = lazyPart(async () => (await import('./passwords-form.tsx')).PasswordsForm, waiting)

const route = getRouteApi('/shell/settings')

export const SettingsPage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { scope = 'tenant' }: { scope?: SettingScope } = route.useSearch()
  const canWrite = useCanWrite(scope)
  const [isNew, setNew] = useState(false)
  return (
    <>
      <PageHeader
        title={t('places.settings')}
        description={t('settings.description')}
        actions={canWrite && <Button onClick={() => setNew(true)}>{t('settings.create')}</Button>}
      />
      <PageTabs
        tab={scope}
        titles={{ tenant: t('settings.tenant'), global: t('settings.global') }}
        label={t('settings.scopes')}
        onChange={(tab) => void navigate({ search: tab === 'global' ? { scope: tab } : {} })}
      >
        <SettingList isNew={isNew} onClose={() => setNew(false)} />
      </PageTabs>
    </>
  )
}

interface SettingListProps {
  /** True if the editor holds a new setting. */
  isNew: boolean
  onClose: () => void
}

/** The setting with this key. If another user deletes it, it stays open, because the caller may be editing it. */
const useOpened = (settings: Setting[], key: string | undefined): Setting | undefined => {
  const found = settings.find((one) => one.key === key)
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return found ?? (last?.key === key ? last : undefined)
}

/** The declared settings of a scope, and the others. */
const useRows = () => {
  const { scope = 'tenant', key }: { scope?: SettingScope; key?: string } = route.useSearch()
  const settings = useSettings(scope)
  const { data: declared = [] } = useDefinitions()
  const all = settings.data ?? []
  const definitions = declared.filter(({ scopes }) => scopes.includes(scope))
  const keys = new Set(definitions.map((one) => one.key))
  const others = all.filter((one) => !hasForm(scope, one.key) && !keys.has(one.key))
  const definition = definitions.find((one) => one.key === key)
  const open = useOpened(others, key)
  return { scope, settings, all, definitions, others, definition, open }
}

const SettingList = ({ isNew, onClose }: SettingListProps) => {
  const navigate = route.useNavigate()
  const rows = useRows()
  const { scope, settings, all, definitions, others } = rows
  const close = (): void => {
    onClose()
    // The dialog has already asked about unsaved text.
    void navigate({
      search: (rest) => ({ ...rest, key: undefined }),
      resetScroll: false,
      ignoreBlocker: true,
    })
  }
  return (
    <>
      {settings.data && <Head scope={scope} settings={settings.data} />}
      {settings.data && <DeclaredList scope={scope} definitions={definitions} stored={all} />}
      <SettingTable settings={{ ...settings, data: settings.data && others }} />
      <Opened {...rows} isNew={isNew} onClose={close} />
    </>
  )
}

const Opened = ({
  scope,
  all,
  definition,
  open,
  isNew,
  onClose,
}: ReturnType<typeof useRows> & SettingListProps) => {
  if (definition && !isNew) {
    return (
      <DeclaredEditor
        key={`${scope} ${definition.key}`}
        scope={scope}
        definition={definition}
        stored={all.find((one) => one.key === definition.key)}
        onClose={onClose}
      />
    )
  }
  if (!isNew && !open) return null
  return (
    <SettingEditor
      key={`${scope} ${open?.key}`}
      scope={scope}
      setting={open}
      taken={all.map((one) => one.key)}
      onClose={onClose}
    />
  )
}

/** The page of connections has the form. */
const OnlyConnection = () => {
  const { t } = useTranslation()
  if (!useMe().can('sso:read')) return null
  return (
    <SectionCard title={t('settings.connectionOnlyTitle')} hint={<ReadByService name={connectionOnly.key} />}>
      <TextLink to="/connections" size="sm" underline="always">
        {t('settings.connectionOnly')}
      </TextLink>
    </SectionCard>
  )
}

const Head = ({ scope, settings }: { scope: SettingScope; settings: Setting[] }) => {
  const { t, gap } = useTranslation()
  const settingOf = (name: string) => settings.find(({ key }) => key === name)
  if (scope === 'tenant') {
    return (
      <>
        <Text size="sm" c="dimmed" mb="sm">
          {t('settingTexts.readers')}
        </Text>
        <Stack gap="lg" mb="lg">
          <SwitchForm
            name={secondFactor.key}
            title={t('factors.title')}
            label={t('settings.secondFactor')}
            description={t('settings.secondFactorHint')}
            isOn={settingOf(secondFactor.key)?.value === true}
          />
          <OnlyConnection />
          <WaysForm scope={scope} setting={settingOf(ways.key)} />
          <PasswordsForm scope={scope} setting={settingOf(passwords.key)} />
          <RetentionForm setting={settingOf(retention.key)} />
          <BrandingForm setting={settingOf(branding.key)} />
          <SwitchForm
            name={unregistered.key}
            title={t('settings.assistants')}
            label={t('settings.unregistered')}
            description={t('settings.unregisteredHint')}
            off={t('settings.unregisteredNot')}
            isOn={settingOf(unregistered.key)?.value === true}
          />
        </Stack>
      </>
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('settings.globalHint')}
        {gap}
        {t('settingTexts.readers')}
      </Text>
      <Stack gap="lg" mb="lg">
        <WaysForm scope={scope} setting={settingOf(ways.key)} />
        <PasswordsForm scope={scope} setting={settingOf(passwords.key)} />
        <RobotsForm setting={settingOf(robots.key)} />
        <MailForm setting={settingOf(mail.key)} />
      </Stack>
    </>
  )
}

interface SwitchFormProps {
  /** The key of the setting. */
  name: string
  title: string
  label: string
  description: string
  /** Shown to readers while the setting is off. Without this text, they see no card. */
  off?: string
  isOn: boolean
}

/** A setting of the tenant that is on or off. */
const SwitchForm = ({ name, title, label, description, off, isOn }: SwitchFormProps) => {
  const put = useSaveSetting('tenant')
  const canWrite = useCanWrite('tenant')
  if (!canWrite && !isOn && off === undefined) return null
  return (
    <SectionCard title={title} hint={<ReadByService name={name} />}>
      <Stack gap="sm">
        {canWrite ? (
          <Switch
            label={label}
            description={description}
            checked={isOn}
            disabled={put.isPending}
            onChange={({ currentTarget }) => put.mutate({ key: name, value: currentTarget.checked })}
          />
        ) : (
          <Text size="sm">{isOn ? label : off}</Text>
        )}
        {put.error && <ErrorPanel error={put.error} />}
      </Stack>
    </SectionCard>
  )
}
