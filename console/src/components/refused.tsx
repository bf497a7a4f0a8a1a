import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'

interface RefusedProps {
  /** The reason, with the way on. */
  children: ReactNode
  onClose: () => void
}

/** The content of a window instead of the form or question that the service would refuse. */
export const Refused = ({ children, onClose }: RefusedProps) => {
  const { t } = useTranslation()
  return (
    <Stack>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
