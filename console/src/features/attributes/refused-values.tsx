import { Alert, Checkbox, List, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ApiError } from '@tenantry/client'
import { inSight } from '../../components/in-sight.ts'
import { useTranslation } from '../../translation.ts'

interface RefusedValuesProps {
  error: ApiError
  isForced: boolean
  onForce: (isForced: boolean) => void
}

/** The first stored values that the schema refuses. */
export const RefusedValues = ({ error, isForced, onForce }: RefusedValuesProps) => {
  const { t } = useTranslation()
  return (
    <Alert
      ref={inSight}
      role="alert"
      color="yellow"
      icon={<IconAlertTriangle />}
      title={t('attributeForms.refused')}
    >
      <Stack gap="sm">
        <List size="sm">
          {error.fields.map(({ field }) => (
            <List.Item key={field} className="breakable">
              <Place place={field} />
            </List.Item>
          ))}
        </List>
        <Checkbox
          label={t('attributeForms.force')}
          description={t('attributeForms.forceHint')}
          checked={isForced}
          onChange={({ currentTarget }) => onForce(currentTarget.checked)}
        />
      </Stack>
    </Alert>
  )
}

/** The service names a place as `tenant ID` or `user TENANT ID`. */
const Place = ({ place }: { place: string }) => {
  const { t } = useTranslation()
  const [kind, tenant = '', id = ''] = place.split(' ')
  return t(kind === 'user' ? 'attributeForms.placeUser' : 'attributeForms.placeTenant', { tenant, id })
}
