import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'

interface RolePickerProps {
  roles: Role[]
  shown: Role[]
  onChange: (ids: number[]) => void
}

export const RolePicker = ({ roles, shown, onChange }: RolePickerProps) => {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          {t('roles.shown', { shown: shown.length, count: roles.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <RoleChoice roles={roles} shown={shown} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

const RoleChoice = ({ roles, shown, onChange }: RolePickerProps) => {
  const { t } = useTranslation()
  const [sought, setSought] = useState('')
  const found = roles.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase()))
  const chosen = new Set(shown.map(({ id }) => id))
  const choose = (ids: number[], isChosen: boolean): void => {
    const others = [...chosen].filter((id) => !ids.includes(id))
    onChange(isChosen ? [...others, ...ids] : others)
  }
  const foundIds = found.map(({ id }) => id)
  const isAll = found.length > 0 && foundIds.every((id) => chosen.has(id))
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={t('roles.searchRoles')}
        placeholder={t('roles.searchRoles')}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('roles.noneFound')}
        </Text>
      ) : (
        <>
          <Checkbox
            label={t('roles.all', { count: found.length })}
            checked={isAll}
            indeterminate={!isAll && foundIds.some((id) => chosen.has(id))}
            onChange={() => choose(foundIds, !isAll)}
          />
          <ScrollArea.Autosize mah={280} type="auto">
            <Stack gap="xs">
              {found.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                  checked={chosen.has(id)}
                  onChange={(event) => choose([id], event.currentTarget.checked)}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </>
      )}
    </Stack>
  )
}
