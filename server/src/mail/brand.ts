/** How e-mails show the product, from the setting `mail`. Each field can be missing. */
export interface Brand {
  product?: string
  from_name?: string
  /** As `#rrggbb`, or "" for none. */
  color?: string
  /** A data URL, or "" for none. */
  logo?: string
  support_url?: string
  footer?: string
  new_device_notice?: boolean
}

export const productOf = ({ product = 'Tenantry' }: Brand): string => product
