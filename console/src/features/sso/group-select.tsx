import { Select } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { useAllGroups } from './sso.queries.ts'

interface GroupSelectProps {
  input: GetInputPropsReturnType
  isLocked: boolean
}

/** Selects a group of the directory by its id, because another group can get its name. */
export const GroupSelect = ({ input, isLocked }: GroupSelectProps) => {
  const { t } = useTranslation()
  const { data: groups = [] } = useAllGroups()
  const value = String(input.value)
  const known = groups.map(({ id, display_name: name, members }) => ({
    value: id,
    label: t('connections.groupOption', { name, count: members }),
  }))
  const isGone = value !== '' && !groups.some(({ id }) => id === value)
  return (
    <Select
      label={t('connections.group')}
      data={isGone ? [...known, { value, label: t('connections.groupGone', { id: value }) }] : known}
      searchable
      allowDeselect={false}
      limit={100}
      disabled={isLocked}
      nothingFoundMessage={t('connections.noGroupsFound')}
      flex={1}
      miw={200}
      {...input}
    />
  )
}
