/** How e-mails show the product: the setting `mail`, of which every field may be missing. */
export interface Brand {
  product?: string
  from_name?: string
  /** As `#rrggbb`, "" for none. */
  color?: string
  /** A data URL, "" for none. */
  logo?: string
  support_url?: string
  footer?: string
  new_device_notice?: boolean
}

/** The name of the product in e-mails. */
export const productOf = ({ product = 'Tenantry' }: Brand): string => product
