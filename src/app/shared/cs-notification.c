/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cs-notification.h"

/* Who shows notifications, as GLib looks for them; in a sandbox the portal does. */
static const char *const servers[] = { "org.gtk.Notifications", "org.freedesktop.Notifications",
                                       "org.freedesktop.portal.Desktop" };

/* A notification until it is known whether anybody shows it. */
typedef struct
{
  GApplication *application;
  GNotification *notification;
  char *id;
  guint server; /* that is asked about */
} Sending;

static void
sending_free (Sending *sending)
{
  g_object_unref (sending->application);
  g_object_unref (sending->notification);
  g_free (sending->id);
  g_free (sending);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sending, sending_free)

static void ask (GDBusConnection *bus, Sending *sending);

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  if (answer != NULL)
    g_application_send_notification (sending->application, sending->id, sending->notification);
  else if (++sending->server < G_N_ELEMENTS (servers))
    ask (G_DBUS_CONNECTION (source), g_steal_pointer (&sending));
}

static void
ask (GDBusConnection *bus, Sending *sending)
{
  g_dbus_connection_call (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
                          g_variant_new ("(su)", servers[sending->server], 0), G_VARIANT_TYPE ("(u)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_asked, sending);
}

/**
 * cs_notification_send:
 * @application: the program
 * @id: what a later notification of the same id replaces
 * @notification: what to show
 *
 * Shows a notification on the desktop. Where nobody shows such, nothing happens, and nothing is said.
 */
void
cs_notification_send (GApplication *application, const char *id, GNotification *notification)
{
  GDBusConnection *bus = g_application_get_dbus_connection (application);
  Sending *sending;

  if (bus == NULL)
    return;
  sending = g_new0 (Sending, 1);
  sending->application = g_object_ref (application);
  sending->notification = g_object_ref (notification);
  sending->id = g_strdup (id);
  ask (bus, sending);
}
