import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import type { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import { ReadByService } from './read-by-service.tsx'

/** The effect of a setting, and the key under which the service reads it. */
export const SettingHint = ({ text, name }: { text: string; name: string }) => (
  <>
    {text}
    <br />
    <ReadByService name={name} />
  </>
)

interface SettingFormProps {
  isDirty: boolean
  isSending: boolean
  error: unknown
  onSubmit: ReturnType<typeof useSubmit>['onSubmit']
  preview: ReactNode
  children: ReactNode
}

/** Inputs that are saved together, beside a preview of their effect. */
export const SettingForm = ({ isDirty, isSending, error, onSubmit, preview, children }: SettingFormProps) => {
  const { t } = useTranslation()
  return (
    <form noValidate onSubmit={onSubmit}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="sm">{children}</Stack>
        {preview}
      </SimpleGrid>
      {error !== undefined && <ErrorPanel error={error} />}
      {isDirty && (
        <Group mt="sm">
          <Button type="submit" loading={isSending}>
            {t('common.save')}
          </Button>
        </Group>
      )}
    </form>
  )
}
