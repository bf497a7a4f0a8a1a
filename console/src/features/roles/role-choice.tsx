import { Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PopupButton } from '../../components/lazy-popup.tsx'
import { useTranslation } from '../../translation.ts'
import type { RolePickerProps } from './compare-roles.tsx'

/** Opens when it mounts. */
export const RoleChoice = ({ children, ...props }: RolePickerProps & { children: PopupButton }) => (
  <Popover defaultOpened position="bottom-end" width={300} trapFocus returnFocus>
    <Popover.Target>{children}</Popover.Target>
    <Popover.Dropdown>
      <Choices {...props} />
    </Popover.Dropdown>
  </Popover>
)

const Choices = ({ roles, shown, onChange }: RolePickerProps) => {
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
