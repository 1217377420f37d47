/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/cs-report-object.h"

/**
 * cs_report_object_begin:
 * @writer: where to
 *
 * Begins a JSON object, whose end is the caller's to write.
 *
 * Returns: what its keys are added to
 */
CsReportObject
cs_report_object_begin (CsReportWriter *writer)
{
  cs_report_writer_puts (writer, "{");
  return (CsReportObject){ writer, "" };
}

/**
 * cs_report_object_key:
 * @object: an object
 * @key: a name that needs no escaping
 *
 * Writes a key, whose value is the caller's to write.
 */
void
cs_report_object_key (CsReportObject *object, const char *key)
{
  cs_report_writer_printf (object->writer, "%s\"%s\":", object->separator, key);
  object->separator = ",";
}

/**
 * cs_report_object_number:
 * @object: an object
 * @key: its name
 * @number: its value
 *
 * Adds a number.
 */
void
cs_report_object_number (CsReportObject *object, const char *key, guint64 number)
{
  cs_report_object_key (object, key);
  cs_report_writer_put_number (object->writer, number);
}

/**
 * cs_report_object_number_if:
 * @object: an object
 * @key: its name
 * @known: whether it has a value; otherwise null
 * @number: its value
 *
 * Adds a number or null.
 */
void
cs_report_object_number_if (CsReportObject *object, gboolean known, const char *key, guint64 number)
{
  cs_report_object_key (object, key);
  if (known)
    cs_report_writer_put_number (object->writer, number);
  else
    cs_report_writer_puts (object->writer, "null");
}

/**
 * cs_report_object_decimal_if:
 * @object: an object
 * @key: its name
 * @known: whether it has a value; otherwise null
 * @number: its value
 *
 * Adds a number with three decimals, or null.
 */
void
cs_report_object_decimal_if (CsReportObject *object, gboolean known, const char *key, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  cs_report_object_key (object, key);
  cs_report_writer_puts (object->writer, known ? g_ascii_formatd (text, sizeof text, "%.3f", number) : "null");
}

/**
 * cs_report_object_string:
 * @object: an object
 * @key: its name
 * @text: (nullable): its value
 *
 * Adds a string or null.
 */
void
cs_report_object_string (CsReportObject *object, const char *key, const char *text)
{
  cs_report_object_key (object, key);
  if (text != NULL)
    cs_report_writer_put_json_string (object->writer, text);
  else
    cs_report_writer_puts (object->writer, "null");
}

/**
 * cs_report_object_ms:
 * @object: an object
 * @key: its name
 * @ns: a time, ns
 *
 * Adds a time in milliseconds with six decimals: it is exact.
 */
void
cs_report_object_ms (CsReportObject *object, const char *key, guint64 ns)
{
  cs_report_object_key (object, key);
  cs_report_writer_printf (object->writer, "%" G_GUINT64_FORMAT ".%06u", ns / 1000000, (guint) (ns % 1000000));
}

/**
 * cs_report_object_strings:
 * @object: an object
 * @key: its name
 * @texts: (array zero-terminated=1): strings
 *
 * Adds an array of strings.
 */
void
cs_report_object_strings (CsReportObject *object, const char *key, const char *const *texts)
{
  cs_report_object_key (object, key);
  cs_report_writer_puts (object->writer, "[");
  for (guint i = 0; texts[i] != NULL; i++)
    {
      cs_report_writer_puts (object->writer, i > 0 ? "," : "");
      cs_report_writer_put_json_string (object->writer, texts[i]);
    }
  cs_report_writer_puts (object->writer, "]");
}
