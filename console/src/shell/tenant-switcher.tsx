import { Badge, Combobox, Group, Text, UnstyledButton, useCombobox, VisuallyHidden } from '@mantine/core'
import { IconBuilding, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../session/me.ts'
import { TenantOptions } from './tenant-options.tsx'
import { tenantsQuery, useScopeTenant } from './tenants.ts'

const TenantName = () => {
  const { t } = useTranslation()
  const { tenant, isUnknown, isOwn } = useScopeTenant()
  const name = tenant?.name ?? (isUnknown ? t('shell.tenantUnknown') : '…')
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <IconBuilding size={18} stroke={1.75} style={{ flexShrink: 0 }} />
      <Text size="sm" fw={500} className="cut" title={name} maw={200}>
        <VisuallyHidden>{t('fields.tenant')}: </VisuallyHidden>
        {name}
      </Text>
      {!isOwn && (
        <Badge size="sm" color="orange" variant="dot" tt="none" fw={500} visibleFrom="sm">
          {t('shell.otherTenant')}
        </Badge>
      )}
    </Group>
  )
}

/** Says at all times which tenant one is in; platform administrators choose another here, for the whole console. */
export const TenantSwitcher = () => {
  const { isPlatformAdmin } = useMe()
  return isPlatformAdmin ? <Switcher /> : <TenantName />
}

const Switcher = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { tenant: own } = useMe()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: (source) => {
      setSearch('')
      // A click elsewhere has its own place for the focus.
      if (source === 'keyboard') combobox.focusTarget()
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const tenants = useQuery({ ...tenantsQuery, enabled: combobox.dropdownOpened })
  // A page with an id in its path is about something of this tenant alone: another leads to the list above it.
  const isDetail = Object.keys(useParams({ strict: false })).length > 0
  const choose = (id: string): void => {
    combobox.closeDropdown()
    combobox.focusTarget()
    void navigate({
      to: isDetail ? '..' : '.',
      search: id === own.id ? { tenant: undefined } : { tenant: id },
    })
  }
  return (
    <Combobox store={combobox} width={320} position="bottom-start" onOptionSubmit={choose} withinPortal>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <UnstyledButton
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
          title={t('shell.switchTenant')}
          className="switcher"
        >
          <TenantName />
          <IconSelector size={16} style={{ flexShrink: 0 }} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('shell.searchTenants')}
          aria-label={t('shell.searchTenants')}
        />
        <TenantOptions tenants={tenants} search={search} />
      </Combobox.Dropdown>
    </Combobox>
  )
}
