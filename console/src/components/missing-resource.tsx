import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import type { BackLinkProps } from './back-link.tsx'
import { NothingThere } from './nothing-there.tsx'

interface MissingResourceProps extends Omit<BackLinkProps, 'children'> {
  /** The name of its kind. */
  name: string
}

/** For a resource that does not exist, with the way back to its list. */
export const MissingResource = ({ name, to, search = {} }: MissingResourceProps) => {
  const { t } = useTranslation()
  return (
    <NothingThere title={t('missing.title', { name })} text={t('missing.text')}>
      <Button variant="default" renderRoot={(props: object) => <Link to={to} search={search} {...props} />}>
        {t('missing.toList')}
      </Button>
    </NothingThere>
  )
}
